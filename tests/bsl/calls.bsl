# A call runs to its end, sleeps and all, before its caller goes on; a fork does not hold it.
# ticks 40
func void shot(int n)
{
	dprint(shot, n)		# expect: @0 told dprint shot 1 | @3 told dprint shot 2 | @6 told dprint shot 3
	sleep 3
}

func void main(void)
{
	shot(1);
	shot 2
	fork shot 3
	dprint beside		# expect: @6 told dprint beside
	dprint(slow(2))		# expect: @8 told dprint 4
	fork cm_wait		# expect: @8 warns no function 'cm_wait'
	fork nobody		# expect: @8 warns no function 'nobody'
}

func int slow(int n) { sleep n; return n + n; }
