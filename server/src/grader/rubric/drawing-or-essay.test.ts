import { describe, expect, it } from 'vitest'
import { drawingOrEssay } from './question-kind.ts'

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
