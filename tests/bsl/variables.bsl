# Globals, locals, types, the game's own variables.
# ticks 5
var int a = 2
var bool yes = true;
var float half = .5
var string s;
var int later = twice(21);
var int bare;

func int twice(int n) { return n + n }

func void main(void)
{
	var int local = 3;
	var string text = 5
	dprint(a, yes, half, later, bare)	# expect: @0 told dprint 2 1 0.5 42 0
	a = a + 1;
	a = a - 1
	a = a -1			# expect: @0 warns taken as a subtraction
	dprint(a, local, text)		# expect: @0 told dprint 1 3 5
	half = 2;
	yes = 7
	a = 3.9
	s = word
	dprint(half, yes, a, s)		# expect: @0 told dprint 2 1 3 word
	gl_fog_start=.99		# expect: @0 told gl_fog_start = 0.99
	dprint(gl_fog_start)		# expect: @0 told dprint 0.99
	a = 2147483647 + 1
	dprint(a, s)			# expect: @0 told dprint -2147483648 word
	rating				# expect: @0 warns no command 'rating'; there is a variable of that name
	rating = 3			# expect: @0 told rating = 3
	dprint(twice(twice(2)) + 1)	# expect: @0 told dprint 9
}
