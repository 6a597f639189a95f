import { drawSheets, emptySheet, margin, type Sheet, sheetWidth } from './sheet.ts'

/** Question 4 follows 2 and has no points; the key says the answer to 2 in a note at the top. */
export async function drawUnclearExam(): Promise<{ blank: Buffer; key: Buffer }> {
  const title = 'Heat and water'
  const blank = await drawSheets(
    [
      page(title, [
        ['Name: ______________________', 90],
        ['Total: 20 marks', 112],
        ['1. Why does ice float on water? (5 marks)', 150],
        ['2. What is it called when water becomes vapour below its boiling point? (5 marks)', 300],
        ['4. Heating 1 kg of water by 2 K takes how much energy, in kJ?', 450],
      ]),
    ],
    { title },
  )
  const key = await drawSheets(
    [
      page(`${title}: answers`, [
        ['For the second one accept only', 90],
        ['evaporation', 112],
        ['1. Ice is less dense than water.', 150],
        ['4. 8.4 kJ', 200],
      ]),
    ],
    { title: 'Answers' },
  )
  return { blank, key }
}

function page(title: string, lines: [text: string, y: number][]): Sheet {
  const sheet = emptySheet()
  sheet.ink.push({ text: title, x: margin, y: 60, font: 'Helvetica-Bold', size: 15 })
  for (const [text, y] of lines) {
    sheet.ink.push({ text, x: margin, y, font: 'Helvetica', size: 11 })
    if (/^\d\. .*\?/.test(text))
      for (const line of [40, 70, 100]) sheet.rules.push({ x1: margin, x2: sheetWidth - margin, y: y + line })
  }
  return sheet
}
