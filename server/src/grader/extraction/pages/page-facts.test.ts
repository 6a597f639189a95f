import { expect, it } from 'vitest'
import { generateRubric } from '../../rubric/generate-rubric.ts'
import { buildPaper } from '../../testing/build-paper.ts'
import { extractAnswers } from '../extract-answers.ts'

const TITLE = 'Physics: mechanics and circuits test'
const first = [
  TITLE,
  'Answer every question. Show your working, and give the unit of each result.',
  '1. A ball is thrown upwards from the ground. How high does it rise before it falls? (2 points)',
]
const second = ['2. A battery drives a current through two resistors in series. How large is it? (3 points)']
const blank = buildPaper(first, second)
const rubric = generateRubric(blank, buildPaper(['1. 9.99 m', '2. 1.9 mA']))
const pagesOf = (...pages: string[][]) => extractAnswers(rubric, blank, buildPaper(...pages)).pages?.of_paper

it('tells a student’s own sheet with the blank’s title from a page of the blank', () => {
  expect(pagesOf([TITLE, '1. s = 9.99 m', '2. I = V/R = 1.9 mA'])).toMatchObject([
    { page: 1, blank_pages: [1], own_sheet: true },
  ])
  for (const page of pagesOf([...first, 's = 9.99 m'], [...second, '1.9 mA']) ?? [])
    expect(page).not.toHaveProperty('own_sheet')
})
