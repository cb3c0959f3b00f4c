# Weak calls pass words as they stand; strong calls pass variables, and names of none as text.
# ticks 5
var int number = 7;
var string who = "konoko";

func void say(string a, int b)	# expect: @0 warns the text 'b' is taken as the number 0
{
	dprint(a, b)	# expect: @0 told dprint number 0 | @0 told dprint 7 7 | @0 told dprint nobody 3 | @0 told dprint  0 | @0 told dprint a 0
}

func void main(void)
{
	dprint number who		# expect: @0 told dprint number who
	dprint(number, who, nobody)	# expect: @0 told dprint 7 konoko nobody
	say number
	say(number, number);
	say(nobody, 3)
	say
	dprint "two words" f60		# expect: @0 told dprint two words f60
	dprint a-b 1.50 .4		# expect: @0 told dprint a-b 1.50 .4
	dprint(.5, -2, 1.25 + 1)	# expect: @0 told dprint 0.5 -2 2.25
	say(a, b, c)			# expect: @0 warns an extra word 'c' is ignored
}
