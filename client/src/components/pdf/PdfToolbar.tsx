import { IconArrowAutofitWidth, IconMinus, IconPlus, IconRotateClockwise } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './PdfToolbar.module.css'
import { PdfToolbarButton } from './PdfToolbarButton.tsx'

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
        <PdfToolbarButton label="Zoom out" onClick={() => zoomBy(-1)}>
          <IconMinus size={17} />
        </PdfToolbarButton>
        <output className={classes.zoom} aria-label="Zoom">
          {Math.round(zoom * 100)} %
        </output>
        <PdfToolbarButton label="Zoom in" onClick={() => zoomBy(1)}>
          <IconPlus size={17} />
        </PdfToolbarButton>
        <PdfToolbarButton label="Fit width" onClick={fit} pressed={fits}>
          <IconArrowAutofitWidth size={18} />
        </PdfToolbarButton>
        <PdfToolbarButton label="Rotate clockwise" onClick={turn}>
          <IconRotateClockwise size={17} />
        </PdfToolbarButton>
        {more}
      </div>
    </div>
  )
}
