# A fork first runs in the same pass, behind its caller, in the order of forks; the oldest goes first.
# ticks 10
var int order;

func void child(string name)
{
	order = order + 1;
	if (name eq a) dprint(first, order)	# expect: @0 told dprint first 1
	if (name eq b) dprint(second, order)	# expect: @0 told dprint second 2
	if (name eq c) dprint(third, order)	# expect: @0 told dprint third 3
	sleep 1
	order = order + 1;
	if (name eq a) dprint(first, order)	# expect: @1 told dprint first 5
	if (name eq b) dprint(second, order)	# expect: @1 told dprint second 6
}

func void main(void)
{
	fork child a
	fork child(b)
	fork child c
	dprint(main, order)			# expect: @0 told dprint main 0
	sleep 1
	order = order + 1;
	dprint(main, order)			# expect: @1 told dprint main 4
}
