# Characters along animations: the next one waits for the one before; freeing ends it.
# anim KonBox01 4
# anim KonBox02 6
# ticks 30
func void main(void)
{
	chr_envanim Konoko KonBox01 norotation		# expect: @0
	chr_envanim_block Konoko KonBox02 norotation	# expect: @0 waits character | @4
	chr_envanim_block Shinatama KonBox01		# expect: @4
	sleep 2
	chr_envanim_stop Konoko				# expect: @6
	chr_envanim_block Konoko KonBox01		# expect: @6
	cm_anim both KonBox02				# expect: @6
	sleep 2
	cm_interpolate KonBox01 10			# expect: @8
	cm_wait						# expect: @8 waits camera
	dprint end					# expect: @18 told dprint end
}
