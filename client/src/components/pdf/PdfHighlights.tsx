import type { Box } from '@assay/shared/papers.ts'
import classes from './PdfHighlights.module.css'
import { type PageSize, type Rotation, rotateBox, rotatedSize } from './page-geometry.ts'

export interface PdfHighlight {
  /** Marks of one thing (an answer over two pages) share it. */
  group: string
  page: number
  box: Box
  tag: string
  /** Text that was `read`, or is `poor` to read; `area`: an answer area. None: the evidence for a grade. */
  tone?: 'read' | 'poor' | 'area'
  label: string
}

export interface HighlightState {
  selected: string | null
  hovered: string | null
  select: (group: string) => void
  hover: (group: string | null) => void
}

interface Props extends HighlightState {
  highlights: PdfHighlight[]
  page: PageSize
  rotation: Rotation
}

/** In points; areas border on each other, so they are drawn inside their edge. */
const PADDING = 3
const AREA_PADDING = -1.5

export function PdfHighlights({ highlights, page, rotation, selected, hovered, select, hover }: Props) {
  const { width, height } = rotatedSize(page, rotation)
  return (
    <svg className={classes.root} viewBox={`0 0 ${width} ${height}`} data-busy={selected !== null}>
      <title>{titleOf(highlights)}</title>
      {highlights.map((mark) => {
        const box = rotateBox(mark.box, page, rotation)
        const padding = mark.tone === 'area' ? AREA_PADDING : PADDING
        return (
          // biome-ignore lint/a11y/useSemanticElements: there are no buttons in SVG
          <g
            key={`${mark.group} ${box.x} ${box.y}`}
            className={classes.mark}
            role="button"
            tabIndex={0}
            aria-label={mark.label}
            aria-pressed={mark.group === selected}
            data-tone={mark.tone}
            data-pointed={mark.group === hovered || undefined}
            onClick={() => select(mark.group)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ' ') return
              event.preventDefault()
              select(mark.group)
            }}
            onPointerEnter={() => hover(mark.group)}
            onPointerLeave={() => hover(null)}
          >
            <rect
              className={classes.box}
              x={box.x - padding}
              y={box.y - padding}
              width={Math.max(1, box.width + 2 * padding)}
              height={Math.max(1, box.height + 2 * padding)}
              rx={3}
            />
            {mark.tag && <Tag text={mark.tag} x={box.x - PADDING} y={box.y + Math.min(box.height, 16) / 2} />}
          </g>
        )
      })}
    </svg>
  )
}

function titleOf(highlights: PdfHighlight[]): string {
  if (highlights.some(({ tone }) => tone === 'area')) return 'Answer areas'
  return highlights.some(({ tone }) => tone) ? 'Transcribed lines' : 'Evidence for the grade'
}

function Tag({ text, x, y }: { text: string; x: number; y: number }) {
  const width = 8 + 6 * text.length
  const left = Math.max(2, x - width - 4)
  return (
    <g className={classes.tag}>
      <rect x={left} y={y - 7.5} width={width} height={15} rx={7.5} />
      <text x={left + width / 2} y={y + 3.3}>
        {text}
      </text>
    </g>
  )
}
