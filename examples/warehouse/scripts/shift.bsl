# The shift begins: a cutscene of 40 seconds (2400 ticks) in the warehouse.
#
# For the script machine (docs/bsl.md); durations.json says how long its lines of dialogue take.
#
# Cuts and pans, camera clips one behind the other, the forklift's five parts started in one tick, a door, a
# character who is carried along a clip, lines of dialogue, and tasks beside one another.

var int shots;

func void shift(void)
{
	begin_cutscene
	letterbox 1
	fade_in 60
	shots = 0;

	hall()			# 0 to 961
	office()		# 961 to 1561
	finale()		# 1561 to 2400

	cm_reset
	letterbox 0
	end_cutscene
}

# A shot has begun; camera men like to count.
func void shot(int number)
{
	shots = shots + number;
	dprint shot
}

# From above, then along the aisle with the forklift.
func void hall(void)
{
	shot(1);
	env_setanim 40 truck_in
	cm_anim both cam_establish
	sound_dialog_play foreman_01
	cm_wait
	# All parts in one tick, and the camera with them: they stay in step.
	shot(1);
	env_anim 201 205
	cm_anim both cam_dolly
	sleep f300
	sound_dialog_play_block driver_01
	cm_wait
}

# The door opens, the foreman comes out and walks to the pallet.
func void office(void)
{
	shot(1);
	cm_interpolate cam_office 0
	door_open 1
	sleep 50
	fork walk
	cm_wait
	cm_anim both cam_foreman
	cm_wait
	# The _block waits for what was ordered before, then gives its order and goes on.
	cm_interpolate_block cam_pallet 120
	sound_dialog_play_block foreman_02
	sleep 190
}

func void walk(void)
{
	chr_envanim foreman foreman_walk norotation
	chr_animate foreman WALKaisle 240
	sleep 90
	door_close 1
	# Waits until he has been carried to the end, then stands where he is.
	chr_envanim_block foreman foreman_walk norotation
	chr_envanim_stop foreman
	door_jam 1
}

# Up to the crane, and back to where it began.
func void finale(void)
{
	var int rounds = 2;
	cm_interpolate cam_crane 180
	cm_wait
	if (rounds > 1)
	{
		env_show 12 0
		sleep 60
		env_show 12 1
	}
	cm_interpolate cam_establish 300
	cm_wait
	fade_out 0 0 0 120
	sleep 299
	door_unjam 1
}
