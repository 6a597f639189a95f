import type { ReactNode } from 'react'
import type { PdfHighlight } from '../components/pdf/PdfHighlights.tsx'

interface Props {
  highlights: PdfHighlight[]
  select: (group: string) => void
  scrollTarget: { group: string } | null
  tools?: ReactNode
}

/** In place of the PDF viewer: its bar's own buttons, the marks as buttons, and what is asked to be shown. */
export function PdfPages({ highlights, select, scrollTarget, tools }: Props) {
  return (
    <div data-testid="paper" data-look={scrollTarget?.group}>
      {tools}
      {highlights.map((mark) => (
        <button type="button" key={mark.group} data-tone={mark.tone} onClick={() => select(mark.group)}>
          {mark.label}
        </button>
      ))}
    </div>
  )
}
