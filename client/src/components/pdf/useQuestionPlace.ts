import type { Box } from '@assay/shared/papers.ts'
import { useEffect, useState } from 'react'
import type { OpenPdf } from './open-pdf.ts'
import { type QuestionToFind, questionPlace, type TextRow } from './question-place.ts'

type PdfDocument = OpenPdf['document']

const rowsByDocument = new WeakMap<PdfDocument, Promise<TextRow[]>>()

function textRowsOf(document: PdfDocument): Promise<TextRow[]> {
  const reading = rowsByDocument.get(document) ?? readRows(document)
  rowsByDocument.set(document, reading)
  return reading
}

async function readRows(document: PdfDocument): Promise<TextRow[]> {
  const rows: TextRow[] = []
  for (let number = 1; number <= document.numPages; number++) rows.push(...(await rowsOfPage(document, number)))
  return rows
}

async function rowsOfPage(document: PdfDocument, number: number): Promise<TextRow[]> {
  const page = await document.getPage(number)
  const [, , , top = 0] = page.view
  const rows: TextRow[] = []
  const { items } = await page.getTextContent()
  for (const item of items) {
    if (!('str' in item) || item.str.trim() === '') continue
    const [, , , , x = 0, baseline = 0] = item.transform as number[]
    const box: Box = { x, y: top - baseline - item.height, width: item.width, height: item.height }
    const last = rows.at(-1)
    if (last && Math.abs(last.box.y + last.box.height - box.y - box.height) < 2 && x >= last.box.x) {
      last.text += ` ${item.str}`
      last.box.width = x + item.width - last.box.x
    } else rows.push({ page: number, text: item.str, box })
  }
  return rows
}

export function useQuestionPlace(
  { document }: OpenPdf,
  question: QuestionToFind | null,
): { page: number; box: Box } | null {
  const [place, setPlace] = useState<{ page: number; box: Box } | null>(null)
  useEffect(() => {
    if (!question) return setPlace(null)
    let isWanted = true
    void textRowsOf(document)
      // An unreadable page has no text, like a scan.
      .catch(() => [])
      .then((rows) => isWanted && setPlace(questionPlace(question, rows, document.numPages)))
    return () => {
      isWanted = false
    }
  }, [document, question])
  return place
}
