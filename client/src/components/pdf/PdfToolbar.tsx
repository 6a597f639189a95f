import { IconArrowAutofitWidth, IconMinus, IconPlus, IconRotateClockwise } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PdfTool } from './PdfTool.tsx'
import classes from './PdfToolbar.module.css'

interface Props {
  page: number
  pages: number
  /** 1 is 100 %. */
  zoom: number
  fits: boolean
  zoomBy: (direction: 1 | -1) => void
  fit: () => void
  turn: () => void
  /** What a screen adds. */
  more?: ReactNode
}

export function PdfToolbar({ page, pages, zoom, fits, zoomBy, fit, turn, more }: Props) {
  return (
    <div className={classes.root} role="toolbar" aria-label="Paper">
      <span className={classes.page}>
        Page {page} of {pages}
      </span>
      <div className={classes.tools}>
        <PdfTool label="Zoom out" onClick={() => zoomBy(-1)}>
          <IconMinus size={17} />
        </PdfTool>
        <output className={classes.zoom} aria-label="Zoom">
          {Math.round(zoom * 100)} %
        </output>
        <PdfTool label="Zoom in" onClick={() => zoomBy(1)}>
          <IconPlus size={17} />
        </PdfTool>
        <PdfTool label="Fit width" onClick={fit} pressed={fits}>
          <IconArrowAutofitWidth size={18} />
        </PdfTool>
        <PdfTool label="Rotate clockwise" onClick={turn}>
          <IconRotateClockwise size={17} />
        </PdfTool>
        {more}
      </div>
    </div>
  )
}
