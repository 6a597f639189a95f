const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Names that are words as well: a student's own are hidden only as a part of the whole name. */
export const NAMES_THAT_ARE_WORDS =
  list(`amber angel april art august autumn bill bishop black blue bond book brown carol case chance chase
  church clay cliff cook dale dawn day dean drew earl east eve faith field fisher fox frank gene glen grace grant gray green hall heath hill
  holly hope hunter iris ivy jack jasmine jean jewel joy june king lake lane lee lily long love major mark marsh mason may mercy miles min
  moss north olive page park penny pearl price prince ray rich rob rock rose ruby sage sandy sky snow stone star student summer sunny sun
  terry victor violet wade ward water west white will wood wolf young`)

/**
 * More such names, by which other students are not hidden where they stand alone: words that begin sentences, and people and places that
 * answers are about. A class has hundreds of names, and a word wrongly hidden may cost somebody points.
 */
export const SUBJECT_WORDS_AND_FAMOUS_NAMES = list(`
  abbott archer ash baker ball banks barber bass bean bear beck bell bender berry best bird blade bloom boot bowl brand branch bright brook
  brooks buck bush butler buzz cannon cash carter carver castle cat chandler cherry chip christian clark cloud coal cole colt comfort cooper
  cross crow crystal daisy daniel dash david destiny dick dove drake duke earth edge english ever fall farmer felt fern finch fish flint
  flower ford forest forth foster free freedom french friend frost fuller gale garner garland gates ginger gold golden good grain grey griffin
  guy hail ham hammer hand hardy harmony harp hart harvest haven hay hazel head hicks high honey honor horn horton hull ice ink jade jay jet
  job jolly judge justice kelp key kind kitty knight lamb land lark laurel law leaf liberty light lime lines little lock lot luck lynch
  maker man manning marble march marina marine marshall martin mass masters mead melody merit merry mills mint mission moon moore more mustard
  myrtle nick noble noon norm norman oak ocean odd oil opal orange parish parker pat patience paul peace peach pepper perry pierce pike pine
  pitt pole pope porter post potter powder power powers prime rain rainbow randy raven read reed reef rice ridge ring rivers river robin
  rod rogue roman root row rush rust sail salmon salt sand savage scales scarlet scope scott self serenity shade sharp shell shepherd
  shore short silver singer skip small smart smith sparks spring steel sterling stevens stock storm strange street strong sue swan swift
  table tailor taylor temple terra thatcher thorn tiger tiller tom trace trinity true truth turner vale van vanilla vine walker wall walls
  waters weaver weeks weld wells welsh wheat wheeler wilder willow wind winter winters wise woods worth wren
  january february september october november december monday tuesday wednesday thursday friday saturday sunday
  abraham adam alexander ampere angela anne archimedes aristotle arthur augustus austen avogadro bach bacon balzac becquerel beethoven
  bernoulli bohr boltzmann boole boyle brahms bronte brutus byron caesar cain calvin cavendish celsius chaplin charles chopin churchill cicero
  cleopatra columbus copernicus coulomb crick cromwell curie dalton dante darwin davy descartes dickens diesel doppler douglass edison
  einstein eliot elizabeth emerson euclid euler fahrenheit faraday fermat fermi feynman fibonacci fleming ford france franklin freud galileo
  gandhi gates gauss gutenberg haber hamilton hamlet handel harvey hawking heisenberg helen henry hertz hitler homer hooke hubble hume hutton
  isaac jackson james jefferson jenner jesus joan john joule juliet kant kelvin kennedy kepler lamarck lavoisier leibniz lenin leonardo
  lincoln linnaeus locke louis luther macbeth madison magellan malcolm mandela marconi marx mary maxwell mendel mendeleev michelangelo milton
  mohammed monet monroe moses mozart muhammad napoleon nash nelson newton nietzsche nixon nobel noah ohm orwell othello pascal pasteur pavlov
  peter picasso planck plato poe priestley ptolemy pythagoras reagan rembrandt richter romeo roosevelt rosa rousseau rutherford schrodinger
  shakespeare shelley sherman simpson skinner socrates solomon stalin stephenson tesla thomson thoreau tolstoy toussaint truman tubman
  turing twain vernier victoria virgil volta voltaire wagner wallace washington watson watt webster wegener wilson woolf wright
  africa alabama alaska albany america arizona asia athens atlanta austin australia austria avon barcelona bath berlin bethlehem boston brazil
  bristol britain brittany cairo california cambridge canada carolina chad chelsea chester chicago china colombia columbia congo cuba cyprus
  dakota dallas delhi delaware denver diego dublin egypt england eden essex ethiopia europe florence florida francisco genesis geneva georgia
  germany ghana greece havana holland houston hudson india indiana iran iraq ireland israel italy jamaica japan jersey jerusalem jordan
  kansas kent kenya kingston korea kyoto lancaster lebanon lima lisbon london lorraine louisiana lourdes macedonia madrid mali malta manchester
  maryland medina mexico miami milan mississippi missouri montana morocco moscow naples nevada niger nigeria nile norway oman orleans oxford
  palermo panama paris peru philadelphia phoenix pisa poland portugal prague richmond rio rome russia sahara salem samoa santiago savannah
  saxon scotland senegal siena singapore somalia spain stanford sudan sweden switzerland sydney syria tennessee texas thames togo toledo tonga
  trent troy turkey tyrone ukraine valencia venice verona vienna vietnam virginia wales york zealand
  admin demo guest instructor person pupil teacher test user`)
