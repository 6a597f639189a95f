import type { Paper } from '@assay/shared/papers.ts'
import { generateRubric } from '../../../server/src/grader/rubric/generate-rubric.ts'
import { ExamPages, left, right } from '../layouts/exam-layout.ts'

export interface StudentExam {
  name: string
  numbers: string[]
  drawBlank(pages: ExamPages): void
  drawKey(pages: ExamPages): void
}

export async function drawPages(draw: (pages: ExamPages) => void): Promise<Buffer> {
  const pages = new ExamPages()
  draw(pages)
  return pages.end()
}

export async function readExam(exam: StudentExam, read: (bytes: Buffer) => Promise<Paper>) {
  const blank = await read(await drawPages((pages) => exam.drawBlank(pages)))
  return { blank, rubric: generateRubric(blank, await read(await drawPages((pages) => exam.drawKey(pages)))) }
}

/** 18 points apart; two spaces at the start indent by 12 points, a tab goes on in the next column. */
export function typeLines(pages: ExamPages, lines: readonly string[], top = 70, columns = [left, 110]): void {
  for (const [i, line] of lines.entries()) {
    const indent = (line.length - line.trimStart().length) * 6
    for (const [column, text] of line.trimStart().split('\t').entries())
      pages.text(text, (columns[column] ?? left) + (column === 0 ? indent : 0), top + i * 18)
  }
}

export const weatherExam: StudentExam = {
  name: 'weather',
  numbers: ['1 a', '1 b', '2', '3 a i', '3 a ii', '3 b', '4', '5', '6'],
  drawBlank(pages) {
    pages.page('Weather and Climate – unit test')
    pages.text('Answer all questions on paper of your own.', left, 92)
    const print: [string, string][] = [
      ['1.  The atmosphere', ''],
      ['     (a)  Name the gas that makes up most of the air.', '[1]'],
      ['     (b)  State two greenhouse gases.', '[2]'],
      ['2.  Explain why the sea warms up more slowly than the land.', '[3]'],
      ['3.  A barometer reads 1012 hPa in the morning and 996 hPa in the evening.', ''],
      ['     (a)  (i)  Calculate the change in pressure.', '[2]'],
      ['           (ii)  Give the name of the unit in words.', '[1]'],
      ['     (b)  What weather is likely in the evening?', '[2]'],
      ['4.  List three instruments of a weather station.', '[3]'],
      ['5.  Which cloud brings thunderstorms?', '[1]'],
      ['     A. cirrus     B. stratus     C. cumulonimbus     D. altocumulus', ''],
      ['6.  How many hours of daylight are there at the equator?', '[1]'],
    ]
    for (const [i, [text, marks]] of print.entries()) {
      const indent = text.length - text.trimStart().length
      pages.text(text.trimStart(), left + indent * 4, 124 + i * 26)
      if (marks) pages.text(marks, right, 124 + i * 26, { end: true })
    }
  },
  drawKey(pages) {
    pages.page('Weather and Climate – answers')
    typeLines(
      pages,
      [
        '1 (a)  nitrogen [1]',
        '1 (b)  carbon dioxide; methane [2]',
        '2  Water has a high heat capacity, and the sea is mixed to a great depth. [3]',
        '3 (a) (i)  16 hPa [2]',
        '3 (a) (ii)  hectopascal [1]',
        '3 (b)  wind and rain [2]',
        '4  thermometer; barometer; rain gauge [3]',
        '5  C [1]',
        '6  12 [1]',
      ],
      110,
    )
  },
}

export const cellQuiz: StudentExam = {
  name: 'cells',
  numbers: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  drawBlank(pages) {
    pages.page()
    pages.bold('Cells quiz', left, 60, { size: 16 })
    pages.text('Name: ______________________', right, 60, { end: true })
    const print = [
      '1. Which part holds the DNA? (1 point)',
      '    A. membrane     B. nucleus     C. vacuole     D. wall',
      '2. Which part makes proteins? (1 point)',
      '    A. nucleus     B. vacuole     C. ribosome     D. wall',
      '3. Which part do animal cells lack? (1 point)',
      '    A. wall     B. membrane     C. nucleus     D. ribosome',
      '4. Which part lets substances in and out? (1 point)',
      '    A. wall     B. vacuole     C. nucleus     D. membrane',
      '5. True or false: bacteria have a nucleus. (1 point)',
      '6. True or false: plant cells have mitochondria. (1 point)',
      '7. A cell is drawn 40 mm wide at a magnification of 800. How wide is it, in micrometres? (2 points)',
      '8. How many cells are there after 5 divisions of one cell? (1 point)',
      '9. What is the green pigment of plants called? (1 point)',
      '10. Name the process by which water crosses a membrane. (1 point)',
    ]
    for (const [i, text] of print.entries())
      pages.text(text.trimStart(), left + (text.length - text.trimStart().length) * 4, 100 + i * 28)
  },
  drawKey(pages) {
    pages.page()
    pages.bold('Cells quiz – key', left, 60, { size: 16 })
    typeLines(
      pages,
      ['1. B', '2. C', '3. A', '4. D', '5. False', '6. True', '7. 50', '8. 32', '9. chlorophyll', '10. osmosis'],
      100,
    )
  },
}

export const rockQuiz: StudentExam = {
  name: 'rocks',
  numbers: ['1', '2', '3', '4', '5', '6', '7 a', '7 b', '7 c', '8'],
  drawBlank(pages) {
    pages.page()
    pages.bold('Rocks quiz', left, 60, { size: 16 })
    const print: [string, number, number][] = [
      ['1. Which rock forms from lava? (1 point)', left, 100],
      ['A. chalk', left + 20, 120],
      ['B. basalt', left + 20, 138],
      ['C. marble', left + 20, 156],
      ['D. coal', left + 20, 174],
      ['2. Which rock is metamorphic? (1 point)', left, 204],
      ['A. slate', left + 20, 224],
      ['B. granite', left + 140, 224],
      ['C. sandstone', left + 260, 224],
      ['3. Fossils are common in igneous rock. (1 point)    True    False', left, 254],
      ['4. How many minerals are in granite, at least? (1 point)  ____________', left, 284],
      ['5. Explain how sandstone forms. (3 points)', left, 314],
      ['6. Magma cools to ______________ rock, and pressure makes ______________ rock. (2 points)', left, 410],
      ['7. Write the letter of the use beside each rock.', left, 440],
      ['(a) slate ______ (1 point)', left + 20, 460],
      ['(b) granite ______ (1 point)', left + 20, 480],
      ['(c) chalk ______ (1 point)', left + 20, 500],
      ['P writing on boards', left + 260, 460],
      ['Q covering roofs', left + 260, 480],
      ['R paving streets', left + 260, 500],
      ['8. Name a rock that burns. (1 point)', left, 530],
    ]
    for (const [text, x, y] of print) pages.text(text, x, y)
    for (const y of [336, 356, 376, 560]) pages.rule(left, right, y)
  },
  drawKey(pages) {
    pages.page()
    pages.bold('Rocks quiz – key', left, 60, { size: 16 })
    typeLines(
      pages,
      [
        ...['1. B', '2. A', '3. False', '4. 3', '5. Grains of sand are pressed and cemented together.'],
        ...['6. igneous; metamorphic', '7. (a) Q', '7. (b) R', '7. (c) P', '8. coal'],
      ],
      100,
    )
  },
}
