# Nobody can hold the others up: an endless loop, endless recursion, endless forks are stopped; who is older goes on.
# ticks 6
func void deep(int n)
{
	deep(n + 1)				# expect: @2 warns call_depth_max is 128 | @2 stopped call_depth_max
}

func void steady(void)
{
	sleep 1
	sleep 1
	sleep 1
	dprint steady				# expect: @3 told dprint steady
}

func void main(void)
{
	fork steady
	fork spin
	fork after
	sleep 2
	fork deep 1
	sleep 2
	dprint main				# expect: @4 told dprint main
}

func void spin(void)
{
	var int i;
	iterate over 2000000000 using i { }	# expect: @0 warns statements_per_tick_max is 100000 | @0 stopped statements_per_tick_max
}

func void after(void) { dprint after }	# expect: @0 told dprint after
