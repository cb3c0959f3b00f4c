# Parts named in one tick start in that tick, and end in one; a thing replaced or made anew starts anew.
# anim body 6
# anim turn 3
# object 1 body
# object 2 body
# object 3 body
# ticks 30
func void main(void)
{
	obj_create 1 3				# expect: @0
	env_anim 1 3				# expect: @0
	env_anim_block 1 1			# expect: @0 waits objects | @6
	sleep 2
	env_setanim 1 turn			# expect: @8
	env_setanim 1 body			# expect: @8
	obj_kill 1 1				# expect: @8
	env_anim 1 1				# expect: @8 | @8 warns no object from 1 to 1 is alive
	obj_create 1				# expect: @8
	obj_create 1				# expect: @8 | @8 warns
	env_anim 1 1				# expect: @8
	sleep 1
	obj_kill 1 3				# expect: @9
	env_setanim 1 body			# expect: @9 warns no object 1
	env_setanim_block 1 body		# expect: @9 warns no object 1
}
