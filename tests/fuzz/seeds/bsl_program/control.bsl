# if, else, comparisons, and, or, return, iterate.
# ticks 5
func int pick(int n)
{
	if (n < 0) return -1
	if (n eq 0)
	{
		return 0
		dprint never
	}
	else if (n >= 10 and n <= 20)
		return 15
	else
	{
		return 1
	}
	dprint never
}

func int loud(int n) { dprint(loud, n); return n }	# expect: @0 told dprint loud 0 | @0 told dprint loud 1

func void main(void)
{
	var int i;
	dprint(pick(-5), pick(0), pick(12), pick(99))	# expect: @0 told dprint -1 0 15 1
	if (loud(0) and loud(2)) dprint never
	if (loud(1) or loud(3)) dprint lazy	# expect: @0 told dprint lazy
	if (!(1 ne 1)) dprint not		# expect: @0 told dprint not
	if (trigvolume_count(50) eq 0)		# expect: @0 told trigvolume_count 50
		dprint empty			# expect: @0 told dprint empty
	if (1 + 2 - 1 > 1 and 2 > 1 eq true) dprint tight	# expect: @0 told dprint tight
	iterate over 3 using i dprint(i)	# expect: @0 told dprint 0 | @0 told dprint 1 | @0 told dprint 2
	if (unknown_thing eq 0) dprint zero	# expect: @0 warns the text 'unknown_thing' | @0 told dprint zero
	if (1) ; else dprint never
	if (0)
		dprint never

	else
		dprint apart			# expect: @0 told dprint apart
}
