obj_create 1 5
obj_kill 1 2
obj_show 1
obj_hide 2 3
env_show 7 0
cm_interpolate x 30
cm_detach
gs_fov_set 34.5
