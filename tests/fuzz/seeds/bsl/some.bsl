env_anim 1 3
cm_anim both x; cm_reset() # c
env_setanim(5, "a b")
sleep f60