# Names: functions, variables, parameters and commands are apart; a function hides a command; of two the first stays.
# ticks 5
var int shot = 3;
func void shot(void) { dprint(shot) }	# expect: @0 told dprint 3
func void win(void) { dprint mine }	# expect: @0 warns the function 'win' takes the place of the command | @0 told dprint mine
func void twice(void) { dprint one }	# expect: @0 told dprint one
func void twice(void) { dprint two }	# expect: @0 warns a function 'twice' was there before

func void given(string shot) { dprint(shot); shot() }	# expect: @0 told dprint five

func void main(void)
{
	win
	twice()
	given five
}
