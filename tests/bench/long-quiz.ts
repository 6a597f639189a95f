import type { DrawnAssignment } from '../papers/drawn-assignment.ts'

const topics = [
  [
    'Why does ice float on water?',
    'Ice is less dense than water because its molecules are held further apart in a lattice.',
  ],
  [
    'What does a resistor do in a circuit?',
    'It limits the current that flows for a given voltage and turns electrical energy into heat.',
  ],
  [
    'Why do we see lightning before we hear thunder?',
    'Light travels much faster than sound, so it reaches us almost at once.',
  ],
  [
    'How does a plant take in water?',
    'Water enters the root hairs by osmosis and rises through the xylem as leaves lose water.',
  ],
  ['Why does bread dough rise?', 'Yeast ferments sugar and gives off carbon dioxide, whose bubbles stretch the dough.'],
  [
    'What keeps the moon in its orbit?',
    'Gravity pulls it towards the earth while its sideways speed keeps it from falling in.',
  ],
  [
    'Why does a metal spoon feel colder than a wooden one?',
    'Metal conducts heat away from the hand faster, although both have the same temperature.',
  ],
] as const

export const longQuiz: DrawnAssignment = {
  title: 'Everyday science',
  course: 'Bench',
  instructions: 'Answer every question on the lines.',
  questions: Array.from({ length: 20 }, (_, i) => {
    const [prompt, answer] = topics[i % topics.length] ?? topics[0]
    return { number: String(i + 1), prompt, points: 5, lines: 5, answer }
  }),
}

/** Some as in the key, some short, some off-topic, some empty. */
export function answersOf(student: number): string[] {
  return longQuiz.questions.map(({ answer }, i) => {
    const words = answer.split(' ')
    const kind = (student * 7 + i * 3) % 5
    if (kind === 0) return answer
    if (kind === 1) return words.slice(0, Math.ceil(words.length / 2)).join(' ')
    if (kind === 2) return `I think it is because ${words.filter((_, at) => (at + student) % 3).join(' ')}`
    if (kind === 3) return (topics[(i + student) % topics.length] ?? topics[0])[1]
    return student % 4 === 0 ? '' : 'It just works like that, we saw it in class.'
  })
}
