import type { SwappedStatement } from '../swapped-statements.ts'

/** Written after the first rules, and looked at: of the first 32 pairs 29 swapped ones were found, of the second 31, where 3 right ones were too. */
export const moreStatements: SwappedStatement[] = [
  {
    key: 'Gold is more expensive than silver.',
    right: 'Silver costs less than gold.',
    swapped: 'Silver is more expensive than gold.',
  },
  {
    key: 'A whale breathes with lungs while a fish breathes with gills.',
    right: 'Fish breathe with gills, whales breathe with lungs',
    swapped: 'A fish breathes with lungs while a whale breathes with gills.',
  },
  {
    key: 'The earthquake caused the tsunami.',
    right: 'The tsunami was triggered by the earthquake.',
    swapped: 'The tsunami caused the earthquake.',
  },
  {
    key: 'Steel is stronger than tin.',
    right: 'tin is weaker than steel, therefore it bends',
    swapped: 'Tin is stronger than steel, therefore it bends',
  },
  {
    key: 'As altitude increases, air pressure decreases.',
    right: 'The air pressure decreases when the altitude increases',
    swapped: 'As altitude increases, air pressure increases.',
  },
  {
    key: 'The police are controlled by the government.',
    right: 'The government controls the police',
    swapped: 'The police control the government.',
  },
  {
    key: 'Weather is short-term and climate is long-term.',
    right: 'Climate is long-term, but weather is short-term',
    swapped: 'Climate is short-term and weather is long-term.',
  },
  {
    key: 'Smoking causes lung cancer.',
    right: 'Lung cancer results from smoking.',
    swapped: 'Lung cancer causes smoking.',
  },
  {
    key: 'The Stone Age came before the Bronze Age.',
    right: 'The Bronze Age came after the Stone Age',
    swapped: 'The Bronze Age came before the Stone Age.',
  },
  {
    key: 'Ultraviolet light has a shorter wavelength than infrared light.',
    right: 'infrared light has a longer wavelength than ultraviolet',
    swapped: 'Infrared light has a shorter wavelength than ultraviolet light.',
  },
  {
    key: 'A verb describes an action and a noun names a thing.',
    right: 'A noun names a thing; a verb describes an action',
    swapped: 'A noun describes an action and a verb names a thing.',
  },
  {
    key: 'Diesel engines are less polluting than petrol engines.',
    right: 'Petrol engines are more polluting than diesel engines',
    swapped: 'Petrol engines are less polluting than diesel engines',
  },
  {
    key: 'Inflation lowers the value of money.',
    right: 'The value of money is lowered by inflation.',
    swapped: 'The value of money lowers inflation.',
  },
  {
    key: 'Deforestation leads to soil erosion.',
    right: 'Soil erosion is caused by deforestation',
    swapped: 'Soil erosion leads to deforestation.',
  },
  {
    key: 'If the temperature increases, the solubility increases.',
    right: 'The solubility decreases if the temperature decreases',
    swapped: 'If the temperature increases, the solubility decreases.',
  },
  {
    key: 'Xylem carries water, phloem carries sugar.',
    right: 'Phloem carries the sugar and xylem the water',
    swapped: 'Phloem carries water, xylem carries sugar.',
  },
  {
    key: 'The parasite harms the host.',
    right: 'The host is harmed by the parasite',
    swapped: 'The host harms the parasite.',
  },
  {
    key: 'Ice is not as dense as water.',
    right: 'Water is denser than ice because its molecules are closer',
    swapped: 'Water is not as dense as ice.',
  },
  {
    key: 'The city has fewer trees than the village.',
    right: 'The village has more trees than the city, so the air is cleaner',
    swapped: 'The village has fewer trees than the city.',
  },
  {
    key: 'An acid turns litmus red, an alkali turns litmus blue.',
    right: 'alkali turns it blue and acid turns it red',
    swapped: 'An acid turns litmus blue, an alkali turns litmus red.',
  },
  {
    key: 'The bird spreads the seeds.',
    right: 'Seeds are spread by the bird.',
    swapped: 'The seeds spread the bird.',
  },
  {
    key: 'Heat moves from the tea to the spoon.',
    right: 'The heat moves from tea into the spoon',
    swapped: 'The heat moves from the spoon to the tea.',
  },
  {
    key: 'Boys run faster when they train more.',
    right: 'When boys train more they run faster',
    swapped: 'When boys train more they run slower.',
  },
  {
    key: 'Compared with Earth, Mars has weaker gravity.',
    right: 'Earth has stronger gravity than Mars',
    swapped: 'Earth has weaker gravity than Mars',
  },
  {
    key: 'The lungs take in oxygen and release carbon dioxide.',
    right: 'They release carbon dioxide and take in oxygen',
    swapped: 'The lungs release oxygen and take in carbon dioxide.',
  },
  {
    key: 'In an exothermic reaction energy is released, in an endothermic reaction energy is absorbed.',
    right: 'Endothermic absorbs energy. Exothermic: energy is released',
    swapped: 'In an endothermic reaction energy is released, in an exothermic reaction energy is absorbed.',
  },
  {
    key: 'The king appoints the bishop.',
    right: 'The bishop is appointed by the king',
    swapped: 'The bishop appoints the king.',
  },
  {
    key: 'The market fell because the bank failed.',
    right: 'The bank failed, therefore the market fell',
    swapped: 'The bank failed because the market fell.',
  },
  {
    key: 'The reaction is quicker at high temperature than at low temperature.',
    right: 'At low temperature the reaction is slower than at high temperature',
    swapped: 'The reaction is quicker at low temperature than at high temperature.',
  },
  {
    key: 'Proteins are digested in the stomach, fats in the small intestine.',
    right: 'Fats are digested in the small intestine and proteins in the stomach',
    swapped: 'Fats are digested in the stomach, proteins in the small intestine.',
  },
  {
    key: 'The caterpillar turns into a pupa before it becomes a butterfly.',
    right: 'It becomes a butterfly after it turns into a pupa',
    swapped: 'It becomes a butterfly before it turns into a pupa.',
  },
  {
    key: 'The demand is greater than the supply.',
    right: 'supply is smaller than demand',
    swapped: 'The supply is greater than the demand',
  },
  {
    key: 'The Nile is longer than the Danube.',
    right: 'The Danube is shorter than the Nile',
    swapped: 'The Danube is longer than the Nile',
  },
  {
    key: 'Granite cools more slowly than basalt, so its crystals are larger.',
    right: 'Basalt cools faster than granite so granite has bigger crystals',
    swapped: 'Basalt cools more slowly than granite, so its crystals are larger.',
  },
  {
    key: 'Unemployment causes poverty.',
    right: 'Poverty is caused by unemployment',
    swapped: 'Poverty causes unemployment.',
  },
  {
    key: 'Producers make their own food while consumers eat other organisms.',
    right: 'Consumers eat other organisms and producers make food themselves',
    swapped: 'Consumers make their own food while producers eat other organisms.',
  },
  {
    key: 'The Roman Republic existed before the Roman Empire.',
    right: 'The Roman Empire existed after the Republic.',
    swapped: 'The Roman Empire existed before the Roman Republic.',
  },
  {
    key: 'The greenhouse gases trap the heat.',
    right: 'The heat is trapped by the greenhouse gases',
    swapped: 'The heat traps the greenhouse gases.',
  },
  {
    key: 'When the resistance increases, the current decreases.',
    right: 'As the resistance gets higher the current gets lower',
    swapped: 'When the resistance increases, the current increases.',
  },
  {
    key: 'Carbon monoxide has less oxygen than carbon dioxide.',
    right: 'carbon dioxide has more oxygen than carbon monoxide',
    swapped: 'Carbon dioxide has less oxygen than carbon monoxide.',
  },
  {
    key: 'A stack is last in first out and a queue is first in first out.',
    right: 'A queue is first in first out but a stack is last in first out',
    swapped: 'A queue is last in first out and a stack is first in first out.',
  },
  {
    key: 'The virus infects the cell.',
    right: 'The cell is infected by the virus.',
    swapped: 'The cell infects the virus.',
  },
  {
    key: 'Overfishing led to the collapse of cod stocks.',
    right: 'The collapse of cod stocks resulted from overfishing',
    swapped: 'The collapse of cod stocks led to overfishing.',
  },
  {
    key: 'Monopolies set higher prices than competitive firms.',
    right: 'Competitive firms set lower prices than monopolies',
    swapped: 'Competitive firms set higher prices than monopolies',
  },
  {
    key: 'Sodium is a metal, chlorine is a gas.',
    right: 'Chlorine is a gas and sodium is a metal',
    swapped: 'Chlorine is a metal, sodium is a gas.',
  },
  {
    key: 'The moon orbits the earth.',
    right: 'The earth is orbited by the moon',
    swapped: 'The earth orbits the moon.',
  },
  {
    key: 'The enzyme breaks down the starch.',
    right: 'The starch is broken down by the enzyme',
    swapped: 'The starch breaks down the enzyme.',
  },
  {
    key: 'Copper is less reactive than magnesium, therefore it does not displace it.',
    right: 'magnesium is more reactive than copper',
    swapped: 'Magnesium is less reactive than copper, therefore it does not displace it.',
  },
  {
    key: 'As interest rates rise, borrowing falls.',
    right: 'When interest rates go up borrowing goes down',
    swapped: 'As interest rates rise, borrowing rises.',
  },
  {
    key: 'A simile uses like or as, whereas a metaphor says it is the thing.',
    right: 'A metaphor says that it is the thing, whereas a simile uses like',
    swapped: 'A metaphor uses like or as, whereas a simile says it is the thing.',
  },
  {
    key: 'A queen ant lays eggs but a worker ant gathers food.',
    right: 'The worker gathers food and the queen lays the eggs',
    swapped: 'A worker ant lays eggs but a queen ant gathers food.',
  },
  {
    key: 'Lightning comes before thunder.',
    right: 'The thunder comes after the lightning',
    swapped: 'The thunder comes before the lightning.',
  },
  {
    key: 'The pendulum swings slower because the string is longer.',
    right: 'The string is longer, so the pendulum swings slower',
    swapped: 'The string is longer because the pendulum swings slower.',
  },
  {
    key: 'Electrons flow from the anode to the cathode.',
    right: 'They flow from the anode towards the cathode',
    swapped: 'Electrons flow from the cathode to the anode.',
  },
  {
    key: 'Skimmed milk contains less fat than whole milk.',
    right: 'Whole milk contains more fat than skimmed milk',
    swapped: 'Whole milk contains less fat than skimmed milk.',
  },
  {
    key: 'Hardware is physical; software is a set of instructions.',
    right: 'Software is instructions, hardware is the physical part',
    swapped: 'Software is physical; hardware is a set of instructions.',
  },
  {
    key: 'The parliament elects the chancellor.',
    right: 'The chancellor is elected by the parliament.',
    swapped: 'The chancellor elects the parliament.',
  },
  {
    key: 'Speciation happens after isolation.',
    right: 'Isolation happens before speciation',
    swapped: 'Isolation happens after speciation.',
  },
  {
    key: 'Crude oil is cheaper than petrol.',
    right: 'Petrol is more expensive than crude oil',
    swapped: 'Petrol is cheaper than crude oil.',
  },
  {
    key: 'Sweating lowers body temperature.',
    right: 'The body temperature is lowered by sweating',
    swapped: 'Body temperature lowers sweating.',
  },
  {
    key: 'Vitamin C prevents scurvy and vitamin D prevents rickets.',
    right: 'vitamin D prevents rickets, vitamin C scurvy',
    swapped: 'Vitamin C prevents rickets and vitamin D prevents scurvy.',
  },
  {
    key: 'Concave lenses spread light out, convex lenses bring light together.',
    right: 'Convex ones bring the light together and concave ones spread it out',
    swapped: 'Convex lenses spread light out, concave lenses bring light together.',
  },
  {
    key: 'The wood floats since it is lighter than the water.',
    right: 'Water is heavier than the wood so the wood floats',
    swapped: 'Wood floats since water is lighter than it is.',
  },
  {
    key: 'The wheat price increased after the harvest failed.',
    right: 'The harvest failed and then the wheat price increased',
    swapped: 'The harvest failed after the wheat price increased.',
  },
]
