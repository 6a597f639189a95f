import type { ReactNode } from 'react'
import type { PdfHighlight } from '../components/pdf/PdfHighlights.tsx'
import type { PdfDrawing } from '../components/pdf/PdfPage.tsx'
import type { QuestionToFind } from '../components/pdf/question-place.ts'

interface Props {
  highlights: PdfHighlight[]
  select: (group: string) => void
  scrollTarget: { group: string } | null
  question?: QuestionToFind | null
  tools?: ReactNode
  drawing?: PdfDrawing | null
}

/** What “Draw” drags, on the second page. */
export const drawnBox = { x: 72, y: 200, width: 300, height: 60 }

/** Replaces the PDF viewer: its bar's buttons, marks as buttons, what to scroll to, and a rectangle to be dragged. */
export function PdfPages({ highlights, select, scrollTarget, question, tools, drawing }: Props) {
  return (
    <div data-testid="paper" data-look={scrollTarget?.group} data-question={question?.number}>
      {tools}
      {drawing && (
        <button type="button" onClick={() => drawing.done(2, drawnBox)}>
          Draw
        </button>
      )}
      {highlights.map((mark) => (
        <button
          type="button"
          key={`${mark.group} ${mark.page} ${mark.box.y}`}
          data-tone={mark.tone}
          onClick={() => select(mark.group)}
        >
          {mark.label}
        </button>
      ))}
    </div>
  )
}
