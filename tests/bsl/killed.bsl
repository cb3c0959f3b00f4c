# Killed while it plays, and who waits for it goes on.
# anim long 50
# object 5 long
# ticks 60
func void main(void)
{
	obj_create 5			# expect: @0
	env_anim 5			# expect: @0
	fork killer
	env_anim_block 5		# expect: @0 waits objects | @4 warns no object 5
	dprint gone			# expect: @4 told dprint gone
	cm_anim both long		# expect: @4
	fork breaker
	cm_wait				# expect: @4 waits camera
	dprint over			# expect: @7 told dprint over
}

func void killer(void) { sleep 3; obj_kill 5 }	# expect: @3
func void breaker(void)
{
	sleep 2
	cm_reset			# expect: @6
}
