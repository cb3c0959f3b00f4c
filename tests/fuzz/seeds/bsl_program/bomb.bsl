# Endless forks: the newest make room, the older go on.
# ticks 6
func void bomb(void)	# expect: any
{
	fork bomb		# expect: any
	sleep 1
	bomb()
}

func void main(void)
{
	dprint begin		# expect: @0 told dprint begin
	fork bomb
	sleep 1
	sleep 1
	fork late
	sleep 2
	dprint end		# expect: @4 told dprint end
}

func void late(void) { dprint late }	# expect: any
