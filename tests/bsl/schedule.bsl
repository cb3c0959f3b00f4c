# schedule at, repeat every; N = 0 for ever; timers.
# ticks 100
var int times;

func void beat(string who)
{
	times = times + 1
	dprint(who, times)	# expect: @4 told dprint twice 1 | @8 told dprint twice 2 | @10 told dprint once 3
}

func void tick_for_ever(void) { dprint tick }	# expect: @30 told dprint tick | @60 told dprint tick | @90 told dprint tick

func void main(void)
{
	schedule beat(once) at 10
	schedule beat(twice) repeat 2 every 4
	schedule tick_for_ever() repeat 0 every 30
	timer_start 0.5 bang	# expect: @0 told timer_start 0.5 bang [30]
	sleep 20
	timer_start 1 bang	# expect: @20 told timer_start 1 bang [60]
	sleep 50
	timer_start 0.1 never	# expect: @70 told timer_start 0.1 never [6]
	timer_stop		# expect: @70 told timer_stop
	schedule nobody() at 5	# expect: @70 warns no function 'nobody'
}

func void bang(void) { dprint bang }	# expect: @20 stopped | @70 stopped
func void never(void) { dprint never }	# expect: @70 stopped
