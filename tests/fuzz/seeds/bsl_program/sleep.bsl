# sleep n waits n ticks; f60 is 60; 0 and less do not wait.
# ticks 200
func void main(void)
{
	dprint a		# expect: @0 told dprint a
	sleep 0
	dprint b		# expect: @0 told dprint b
	sleep f60
	dprint c		# expect: @60 told dprint c
	sleep(5)
	dprint d		# expect: @65 told dprint d
	sleep (2 + 3);
	dprint e		# expect: @70 told dprint e
	sleep -1		# expect: @70 warns less than 0 ticks is taken as 0
	dprint f		# expect: @70 told dprint f
	nap(4)
	dprint g		# expect: @74 told dprint g
	sleep			# expect: @0 warns a missing number is taken as 0
	sleep 1 2 3		# expect: @0 warns extra words from '2'
	dprint h		# expect: @75 told dprint h
	sleep 2.9
	dprint i		# expect: @77 told dprint i
}

func void nap(int n)
{
	sleep n
}
