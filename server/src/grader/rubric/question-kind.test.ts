import { describe, expect, it } from 'vitest'
import { readScheme } from './key/read-scheme.ts'
import { drawingOrEssay, questionKind } from './question-kind.ts'

describe('the kind of a question, from its key', () => {
  it.each([
    ['Solve x² + x − 6 = 0.', 'x = 2 or x = -3', 'set'],
    ['Solve x² = 16.', 'x = ±4', 'set'],
    ['Name the three states of matter.', 'solid, liquid and gas', 'set'],
    ['List all the prime numbers below 10.', '2, 3, 5, 7', 'set'],
    ['Put the planets in order from the sun.', 'Mercury, Venus, Earth, Mars', 'ordered_list'],
    ['Arrange from smallest to largest.', '1/4 < 1/2 < 3/4', 'ordered_list'],
    ['State Ohm’s law.', 'V = IR', 'formula'],
    ['Expand (x+1)².', 'x^2 + 2x + 1', 'formula'],
    ['Solve 2x − 6 > 0.', 'x > 3', 'formula'],
    ['How is speed worked out?', 'speed = distance / time', 'formula'],
    ['Balance the equation.', '2H2 + O2 → 2H2O', 'formula'],
    ['What is the chemical formula of salt?', 'NaCl', 'formula'],
    ['Solve 2x = 7.', 'x = 3.5', 'number'],
    ['What share is it?', '25 %', 'number'],
    ['What is half of three?', '1 1/2', 'number'],
  ])('%s %s: %s', (prompt, key, kind) => {
    expect(questionKind(prompt, key)).toBe(kind)
  })

  it.each([
    ['Name two gases.', 'oxygen, nitrogen'],
    ['Why is the sky blue?', 'Short waves are scattered, long ones are not.'],
    ['Which gas do plants take in?', 'CO2'],
    ['Who wrote it?', 'Marx/Engels'],
    ['What is the capital?', 'Paris'],
    ['What is the difference?', 'A plant cell has a wall, an animal cell has none'],
    ['Name the process.', 'photo-synthesis'],
    ['What does it show?', 'The force = the mass of it'],
    ['Which pronoun is used?', 'he/she'],
  ])('%s %s is read as text', (prompt, key) => {
    expect(questionKind(prompt, key)).toBe('text')
  })

  it('keeps two roots together, where two words would be alternatives', () => {
    expect(readScheme([{ text: 'x = 2 or x = -3', right: 0 }], null)).toMatchObject({
      expected: 'x = 2 or x = -3',
      alternatives: [],
    })
    expect(readScheme([{ text: 'colour or color', right: 0 }], null)).toMatchObject({
      expected: 'colour',
      alternatives: ['color'],
    })
  })
})

describe('what words do not tell', () => {
  it.each([
    'Draw the forces on the block.',
    'Sketch the graph of y = x².',
    'Plot the points of the table.',
    '  Draw and label a plant cell.',
    'Shade the region where x > 2.',
  ])('“%s” asks for a drawing', (prompt) => {
    expect(drawingOrEssay(prompt)).toBe('drawing')
  })

  it.each([
    'Prove that √2 is irrational.',
    'Give a formal proof of De Morgan’s law.',
    'Write an essay on the causes of the war.',
    'In a short essay, compare the two poems.',
    'Discuss the role of the press in about 500 words.',
    'Describe the experiment (250–300 words).',
    'Write a persuasive five-paragraph essay about school uniforms.',
  ])('“%s” asks for an essay or a proof', (prompt) => {
    expect(drawingOrEssay(prompt)).toBe('essay')
  })

  it.each([
    'Draw a conclusion from the table.',
    'Draw on two sources to say why.',
    'What conclusion can you draw?',
    'Why did the graph of the results rise?',
    'Explain in no more than 50 words.',
    'How many words are in the essay?',
    'What does the essay of the author argue?',
    'Discuss one advantage of solar power.',
    'How would you prove that the gas is oxygen?',
    'State the plot of the story.',
    'Draw an arrow on the map. Why does the river flow that way?',
    'Define 3 words.',
  ])('“%s” does not', (prompt) => {
    expect(drawingOrEssay(prompt)).toBeNull()
  })
})
