/** A key, an answer that says the same in other words, and one that says it the other way round. */
export interface SwappedStatement {
  key: string
  right: string
  swapped: string
}

/** Those the rules were made with. */
export const seenStatements: SwappedStatement[] = [
  {
    key: 'The land warms faster than the sea, so the air over the land rises.',
    right: 'The land heats up quicker than the sea and so air goes up over land.',
    swapped: 'The sea warms up faster than the land so air rises over the sea.',
  },
  {
    key: 'Cold water has a higher density',
    right: 'Cold water has a higher density than warm water',
    swapped: 'Warm water has a higher density than cold water',
  },
  {
    key: 'Mitosis makes two identical cells, while meiosis makes four different cells.',
    right: 'Meiosis gives four different cells but mitosis gives two identical ones',
    swapped: 'Meiosis makes two identical cells while mitosis makes four different cells.',
  },
  {
    key: 'Copper conducts better than glass.',
    right: 'glass conducts worse than copper',
    swapped: 'Glass conducts better than copper.',
  },
  {
    key: 'A planet is smaller than its star, which is why we can see the star first.',
    right: 'The star is bigger than the planet so you see it first.',
    swapped: 'The planet is bigger than the star so we see it first.',
  },
  {
    key: 'Sound travels slower than light.',
    right: 'Light travels faster than sound, and then you hear the thunder',
    swapped: 'Light travels slower than sound, and then you hear the thunder',
  },
  {
    key: 'Aluminium has less mass than lead of the same size.',
    right: 'The lead has more mass than the aluminium',
    swapped: 'The lead has less mass than the aluminium',
  },
  {
    key: 'Arteries carry blood away from the heart; veins carry blood to the heart.',
    right: 'veins carry it to the heart and arteries carry it away',
    swapped: 'Veins carry blood away from the heart and arteries carry blood to the heart.',
  },
  {
    key: 'Oxidation is the loss of electrons and reduction is the gain of electrons.',
    right: 'Reduction means gain of electrons, oxidation means loss',
    swapped: 'Oxidation is the gain of electrons and reduction is the loss of electrons.',
  },
  {
    key: 'Friction causes heat.',
    right: 'Heat is caused by friction.',
    swapped: 'Heat causes friction.',
  },
  {
    key: 'The drought led to the famine.',
    right: 'The famine resulted from the drought',
    swapped: 'The famine led to the drought',
  },
  {
    key: 'The ice melts because the temperature rises.',
    right: 'Because the temperature rises the ice melts.',
    swapped: 'The temperature rises because the ice melts.',
  },
  {
    key: 'The treaty was signed before the war began.',
    right: 'The war began after the treaty was signed',
    swapped: 'The treaty was signed after the war began',
  },
  {
    key: 'First the seed swells, then the root appears.',
    right: 'The seed swells, and after that the root appears.',
    swapped: 'First the root appears, then the seed swells.',
  },
  {
    key: 'When the pressure increases, the volume decreases.',
    right: 'If the pressure decreases the volume increases.',
    swapped: 'When the pressure increases, the volume increases.',
  },
  {
    key: 'As demand rises the price rises.',
    right: 'When demand goes down price goes down too',
    swapped: 'As demand rises the price falls.',
  },
  {
    key: 'The fox eats the rabbit.',
    right: 'The rabbit is eaten by the fox.',
    swapped: 'The fox is eaten by the rabbit.',
  },
  {
    key: 'The atrium pumps blood into the ventricle.',
    right: 'Blood is pumped into the ventricle by the atrium.',
    swapped: 'The ventricle pumps blood into the atrium.',
  },
  {
    key: 'Renewable energy can be replaced, non-renewable energy will run out.',
    right: 'Non-renewable energy will run out. Renewable energy can be replaced.',
    swapped: 'Renewable energy will run out, non-renewable energy can be replaced.',
  },
  {
    key: 'The nucleus is positive and the electrons are negative.',
    right: 'electrons are negative, the nucleus positive',
    swapped: 'The electrons are positive and the nucleus is negative.',
  },
]

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

/**
 * Written after the rules, and measured once: 30 of 32 swapped ones were found, 1 of 32 right ones was taken for one. What these showed was
 * mended then.
 */
export const freshStatements: SwappedStatement[] = [
  {
    key: 'Saturn has more moons than Mars.',
    right: 'Mars has fewer moons than Saturn.',
    swapped: 'Mars has more moons than Saturn.',
  },
  {
    key: 'Cotton absorbs more water than nylon, which makes it slow to dry.',
    right: 'nylon absorbs less water than cotton so cotton dries slowly',
    swapped: 'Nylon absorbs more water than cotton, which makes it slow to dry.',
  },
  {
    key: 'Stress increases blood pressure.',
    right: 'Blood pressure is increased by stress',
    swapped: 'Blood pressure increases stress.',
  },
  {
    key: 'The harpist accompanies the singer.',
    right: 'The singer is accompanied by the harpist',
    swapped: 'The singer accompanies the harpist.',
  },
  {
    key: 'Gases are compressible and liquids are incompressible.',
    right: 'liquids are incompressible but gases are compressible',
    swapped: 'Liquids are compressible and gases are incompressible.',
  },
  {
    key: 'The printing press came before the telegraph.',
    right: 'The telegraph came after the printing press',
    swapped: 'The telegraph came before the printing press.',
  },
  {
    key: 'If the angle gets larger, the shadow gets shorter.',
    right: 'the shadow gets longer if the angle gets smaller',
    swapped: 'If the angle gets larger, the shadow gets longer.',
  },
  {
    key: 'Malnutrition results in slow growth.',
    right: 'Slow growth is due to malnutrition',
    swapped: 'Slow growth results in malnutrition.',
  },
  {
    key: 'Carnivores have sharp teeth, herbivores have flat teeth.',
    right: 'The teeth of herbivores are flat and those of carnivores are sharp',
    swapped: 'Carnivores have flat teeth, herbivores have sharp teeth.',
  },
  {
    key: 'A violin sounds higher than a cello.',
    right: 'The cello sounds lower than the violin',
    swapped: 'The cello sounds higher than the violin.',
  },
  {
    key: 'The court overrules the council.',
    right: 'The council is overruled by the court',
    swapped: 'The council overrules the court.',
  },
  {
    key: 'Bread rises because yeast makes gas.',
    right: 'Yeast makes gas, so the bread rises',
    swapped: 'Yeast makes gas because bread rises.',
  },
  {
    key: 'Igneous rocks form from magma while sedimentary rocks form from sediment.',
    right: 'Sedimentary rocks form from sediment, igneous rocks from magma',
    swapped: 'Igneous rocks form from sediment while sedimentary rocks form from magma.',
  },
  {
    key: 'Tungsten is harder than lead.',
    right: 'lead is softer than tungsten',
    swapped: 'Lead is harder than tungsten',
  },
  {
    key: 'The rain flooded the valley.',
    right: 'The valley was flooded by the rain',
    swapped: 'The valley flooded the rain.',
  },
  {
    key: 'Energy passes from the grass to the zebra.',
    right: 'It passes from grass to zebra',
    swapped: 'Energy passes from the zebra to the grass.',
  },
  {
    key: 'As wages rise, unemployment rises.',
    right: 'When wages fall, unemployment falls',
    swapped: 'As wages rise, unemployment falls.',
  },
  {
    key: 'The egg hatches after the embryo is grown.',
    right: 'The embryo is grown before the egg hatches',
    swapped: 'The egg hatches before the embryo is grown.',
  },
  {
    key: 'Sparrows are not as heavy as pigeons.',
    right: 'Pigeons are heavier than sparrows',
    swapped: 'Pigeons are not as heavy as sparrows.',
  },
  {
    key: 'In summer the days are long, in winter the days are short.',
    right: 'In winter the days are short and in summer long',
    swapped: 'In summer the days are short, in winter the days are long.',
  },
  {
    key: 'The company sues the supplier.',
    right: 'The supplier is sued by the company.',
    swapped: 'The supplier sues the company.',
  },
  {
    key: 'A compiler translates the whole program; an interpreter translates line by line.',
    right: 'An interpreter translates line by line, a compiler the whole program',
    swapped: 'A compiler translates line by line; an interpreter translates the whole program.',
  },
  {
    key: 'Air pollution triggers asthma.',
    right: 'Asthma is triggered by air pollution',
    swapped: 'Asthma triggers air pollution.',
  },
  {
    key: 'Sand heats up more quickly than water.',
    right: 'Water heats up more slowly than sand',
    swapped: 'Water heats up more quickly than sand.',
  },
  {
    key: 'Romans conquered the Greeks.',
    right: 'The Greeks were conquered by the Romans',
    swapped: 'The Greeks conquered the Romans.',
  },
  {
    key: 'Compared to a bus, a tram uses less energy.',
    right: 'A bus uses more energy than a tram',
    swapped: 'A bus uses less energy than a tram.',
  },
  {
    key: 'Prokaryotes lack a nucleus but eukaryotes contain a nucleus.',
    right: 'Eukaryotes contain a nucleus while prokaryotes lack one',
    swapped: 'Eukaryotes lack a nucleus but prokaryotes contain a nucleus.',
  },
  {
    key: 'The pollen fertilises the ovule.',
    right: 'The ovule is fertilised by pollen',
    swapped: 'The ovule fertilises the pollen.',
  },
  {
    key: 'Fixed costs stay the same, variable costs change with output.',
    right: 'Variable costs change with output; fixed costs stay the same',
    swapped: 'Variable costs stay the same, fixed costs change with output.',
  },
  {
    key: 'Dehydration leads to headaches.',
    right: 'You get headaches from dehydration',
    swapped: 'Headaches lead to dehydration.',
  },
  {
    key: 'The left bank is steeper than the right bank, so it erodes first.',
    right: 'The right bank is less steep than the left bank',
    swapped: 'The right bank is steeper than the left bank, so it erodes first.',
  },
  {
    key: 'The thermometer reads lower in the cave than in the field.',
    right: 'In the field the thermometer reads higher than in the cave',
    swapped: 'The thermometer reads lower in the field than in the cave.',
  },
]
