# Lines of dialogue, films and character animations keep time by their durations.
# duration hello 20
# duration walk 15
# duration bow 7
# ticks 120
func void main(void)
{
	sound_dialog_play hello			# expect: @0 told sound_dialog_play hello [20]
	sound_dialog_play_block hello		# expect: @0 waits dialog | @20 told sound_dialog_play hello [20]
	sound_dialog_play_block pause		# expect: @20 waits dialog | @40 told sound_dialog_play pause
	sound_dialog_play hello			# expect: @40 told sound_dialog_play hello [20]
	sound_dialog_play_block			# expect: @40 waits dialog | @60 told sound_dialog_play_block
	chr_animate 0 walk 99			# expect: @60 told chr_animate 0 walk 99 [15]
	chr_animate 1 run 5			# expect: @60 told chr_animate 1 run 5 [5]
	chr_animate_block char_0 walk		# expect: @60 waits animation | @75 told chr_animate char_0 walk [15]
	chr_animate_block 1 run			# expect: @75 warns no duration for 'run' | @75 told chr_animate 1 run
	playback_block 0 bow			# expect: @75 told playback 0 bow [7]
	playback_block 0 bow interp 5		# expect: @75 waits film | @82 told playback 0 bow interp 5 [7]
	text_console hello			# expect: @82 told text_console hello [20] | @82 waits text_console
	dprint read				# expect: @102 told dprint read
	chr_animate 1 run			# expect: @102 told chr_animate 1 run
	chr_wait_animation 0 walk		# expect: @102 warns no duration for 'chr_wait_animation' | @102 told chr_wait_animation 0 walk
	fade_out 0 0 0 60			# expect: @102 told fade_out 0 0 0 60 [60]
}
