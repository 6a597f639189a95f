import type { ReactNode } from 'react'
import type { PdfHighlight } from '../components/pdf/PdfHighlights.tsx'
import type { PdfDrawing } from '../components/pdf/PdfPage.tsx'
import { PenLayer } from '../components/pdf/pen/PenLayer.tsx'
import { PenToolbar } from '../components/pdf/pen/PenToolbar.tsx'
import { type Pen, usePenSurface } from '../components/pdf/pen/pen.ts'
import type { QuestionToFind } from '../components/pdf/question-place.ts'

interface Props {
  highlights: PdfHighlight[]
  select: (group: string) => void
  scrollTarget: { group: string } | null
  question?: QuestionToFind | null
  tools?: ReactNode
  drawing?: PdfDrawing | null
  pen?: Pen
}

/** What “Draw” drags, on the second page. */
export const drawnBox = { x: 72, y: 200, width: 300, height: 60 }

/** Replaces the PDF viewer with buttons. */
export function PdfPages({ highlights, select, scrollTarget, question, tools, drawing, pen }: Props) {
  const surface = usePenSurface()
  return (
    <div data-testid="paper" data-look={scrollTarget?.group} data-question={question?.number}>
      {tools}
      {pen?.edit && <PenToolbar edit={pen.edit} surface={surface} />}
      {pen && (
        <PenLayer
          {...{ pen, surface, number: 1, page: { width: 595, height: 842, rotate: 0 } }}
          rotation={0}
          pan={() => {}}
        />
      )}
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
