# cm_interpolate n 0 is a cut, over at once: the _block behind it need not wait.
# anim near 1
# anim far 1
# ticks 30
func void main(void)
{
	cm_interpolate near 0			# expect: @0
	cm_interpolate_block far 10		# expect: @0
	dprint spoken				# expect: @0 told dprint spoken
	cm_interpolate_block near 0		# expect: @0 waits camera | @10
	cm_interpolate_block far 5		# expect: @10
	cm_reset 80				# expect: @10
	cm_wait
	dprint free				# expect: @10 told dprint free
}
