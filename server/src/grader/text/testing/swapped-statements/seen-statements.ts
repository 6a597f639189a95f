import type { SwappedStatement } from '../swapped-statements.ts'

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
