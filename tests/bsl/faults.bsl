# What ships with the game and must not stop a run: warnings, and on it goes.
# anim KonCamFinish01 1
# object 1101 KonCamFinish01
# ticks 5
func camcontrol
{
	cutscene_sync_mark		# expect: @0 warns no command 'cutscene_sync_mark'
	sound_dialog_play_pause		# expect: @0 warns no command 'sound_dialog_play_pause'
	sleep7				# expect: @0 warns no command 'sleep7'
	TerminalTwo1			# expect: @0 warns no command 'TerminalTwo1'
	cm_interpolate KonCamFinish01	# expect: @0 | @0 warns a missing number is taken as 0: frames
	door_lock 21 x			# expect: @0 warns extra words from 'x' | @0 told door_lock 21 x
	chr_neutral 0 1			# expect: @0 warns no command 'chr_neutral'
	obj_create 1101 1101		# expect: @0
	env_anim 1101 1			# expect: @0 | @0 warns
	env_setanim 1101 Nowhere	# expect: @0 warns no animation 'Nowhere'
	env_setanim x KonCamFinish01	# expect: @0 warns object: expected a whole number
	cm_anim both			# expect: @0 warns anim: missing
	env_stop 1101			# expect: @0 warns 'env_stop' is a JSON op only
	chr_delete ai_name		# expect: @0 told chr_delete ai_name
	cm_interpolate KonCamFinish01 5 6 7	# expect: @0 | @0 warns 2 extra words from '6'
}

func main
{
	camcontrol
	dprint end			# expect: @0 told dprint end
}
