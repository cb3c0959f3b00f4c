# Endless forks are stopped as a whole; who is older, or comes later, goes on.
# ticks 6
func void bomb(void)
{
	fork bomb		# expect: any
	sleep 1			# expect: any
	bomb()
}

func void innocent(void)
{
	sleep 3
	dprint innocent		# expect: @3 told dprint innocent
}

func void main(void)
{
	fork innocent
	fork bomb
	fork innocent_too
	sleep 2
	fork late
	sleep 2
	dprint end		# expect: @4 told dprint end
}

func void innocent_too(void) { dprint too }	# expect: @0 told dprint too
func void late(void) { dprint late }		# expect: @2 told dprint late
