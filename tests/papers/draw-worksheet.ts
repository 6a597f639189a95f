import PDFDocument from 'pdfkit'
import { toBuffer } from './sheet.ts'

type Doc = InstanceType<typeof PDFDocument>

const print = (doc: Doc, text: string, x: number, y: number, size = 11) =>
  doc.font('Helvetica').fontSize(size).text(text, x, y, { lineBreak: false })

const write = (doc: Doc, text: string, x: number, y: number) =>
  doc.font('Times-Roman').fontSize(13).text(text, x, y, { lineBreak: false })

const dots = (doc: Doc, y: number) =>
  doc.moveTo(80, y).lineTo(540, y).lineWidth(1).lineCap('round').dash(0.1, { space: 4 }).stroke().undash()

const rule = (doc: Doc, x1: number, x2: number, y: number) =>
  doc.moveTo(x1, y).lineTo(x2, y).lineWidth(0.7).lineCap('butt').stroke()

const ring = (doc: Doc, x: number, y: number) => doc.circle(x, y, 9).lineWidth(1.3).stroke()

/** As teachers make them for paper: letters to ring, boxes to tick, dotted and ruled lines, a gap in a sentence. */
function drawPrint(doc: Doc): void {
  print(doc, 'Sailing theory, spring test', 60, 50, 15)
  print(doc, 'Name:', 60, 80)
  rule(doc, 95, 300, 91)
  print(doc, '1  Which knot makes a fixed loop at the end of a rope? Circle the letter. [1]', 60, 115)
  for (const [i, option] of ['A. reef knot', 'B. bowline', 'C. clove hitch', 'D. sheet bend'].entries())
    print(doc, option, 90, 135 + 17 * i)
  print(doc, '2  Which side of a boat is the port side? Tick one box. [1]', 60, 215)
  for (const [i, option] of ['left', 'right', 'front'].entries()) {
    print(doc, option, 90, 238 + 20 * i)
    doc
      .rect(200, 236 + 20 * i, 13, 13)
      .lineWidth(0.8)
      .stroke()
  }
  print(doc, '3  Explain why a keel boat comes back up after a gust has pushed it over. [2]', 60, 310)
  for (const y of [348, 370, 392]) dots(doc, y)
  print(doc, '4  The rope that pulls the main sail in is called the', 60, 415)
  rule(doc, 322, 440, 426)
  print(doc, 'of the boat. [1]', 446, 415)
  print(doc, '5  How fast is a boat, in knots, that sails 12 nautical miles in 3 hours? [1]', 60, 445)
  rule(doc, 80, 540, 482)
  print(doc, '6  Name the line that shows where the ship would float fully loaded. [1]', 60, 500)
  rule(doc, 80, 540, 537)
  print(doc, '7  What does a black cone, point down, tell other boats? [1]', 60, 555)
  rule(doc, 80, 540, 592)
  print(doc, '8  Which light is on the starboard side? [1]', 60, 610)
  rule(doc, 80, 540, 647)
}

function drawAnswers(doc: Doc, inBox: boolean): void {
  write(doc, 'Mirela Kos', 100, 78)
  ring(doc, 96, 140)
  doc.moveTo(87, 131).lineTo(105, 149).moveTo(105, 131).lineTo(87, 149).lineWidth(1.3).stroke()
  ring(doc, 96, 157)
  doc
    .moveTo(202, 243)
    .lineTo(206, 248)
    .lineTo(inBox ? 212 : 216, inBox ? 237 : 233)
    .lineWidth(1.5)
    .stroke()
  write(doc, 'The wide sail holds', 84, 336)
  doc.moveTo(83, 342).lineTo(190, 342).lineWidth(1).stroke()
  write(doc, 'The heavy keel hangs deep and', 200, 336)
  write(doc, 'pulls the boat upright again', 84, 358)
  write(doc, 'sheet', 330, 412)
  write(doc, '4 knots', 84, 468)
  doc.moveTo(90, 585)
  for (let i = 0; i < 7; i += 1)
    doc.bezierCurveTo(92 + 14 * i, 560 + 3 * i, 100 + 14 * i, 600, 104 + 14 * i, 578 - 2 * i)
  doc.lineWidth(1.2).stroke()
  write(doc, 'green', 84, 633)
}

function newSheet(): Doc {
  return new PDFDocument({
    size: 'A4',
    margin: 0,
    info: { Title: 'Sailing theory', CreationDate: new Date(0), ModDate: new Date(0) },
  })
}

/** `tickInBox`: the tick does not reach beyond its box. */
export function drawWorksheet({
  answered,
  tickInBox = false,
}: {
  answered: boolean
  tickInBox?: boolean
}): Promise<Buffer> {
  const doc = newSheet()
  drawPrint(doc)
  if (answered) drawAnswers(doc, tickInBox)
  return toBuffer(doc)
}

export function drawWorksheetKey(): Promise<Buffer> {
  const doc = newSheet()
  const answers = [
    'B',
    'left',
    'its heavy keel pulls it back',
    'sheet',
    '4 knots',
    'load line',
    'motor sailing',
    'green',
  ]
  for (const [i, answer] of answers.entries()) print(doc, `${i + 1}  ${answer}`, 60, 60 + 24 * i)
  return toBuffer(doc)
}
