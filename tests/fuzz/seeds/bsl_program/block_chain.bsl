# A _block waits for the order before, gives its own and goes on: it does not wait for itself.
# anim shot_a 5
# anim shot_b 4
# anim box 3
# ticks 20
func void main(void)
{
	cm_anim both shot_a			# expect: @0
	dprint at_once				# expect: @0 told dprint at_once
	cm_anim_block both shot_b		# expect: @0 waits camera | @5
	dprint behind				# expect: @5 told dprint behind
	cm_anim_block both shot_a		# expect: @5 waits camera | @9
	cm_wait					# expect: @9 waits camera
	dprint end				# expect: @14 told dprint end
	fork objects
}

func objects
{
	obj_create 1 2				# expect: @14
	env_setanim 1 box			# expect: @14
	env_setanim_block 2 shot_b		# expect: @14
	env_setanim_block 1 shot_b		# expect: @14 waits objects | @17
	env_anim_block 1 2			# expect: @17 waits objects
}
