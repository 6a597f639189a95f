import { IconArrowAutofitWidth, IconMinus, IconPlus, IconRotateClockwise } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './PdfToolbar.module.css'
import { PdfToolbarButton } from './PdfToolbarButton.tsx'

interface Props {
  page: number
  pages: number
  /** 1 is 100 %. */
  zoom: number
  isFitWidth: boolean
  zoomBy: (direction: 1 | -1) => void
  fit: () => void
  rotate: () => void
  /** What a screen adds. */
  extraTools?: ReactNode
}

export function PdfToolbar({ page, pages, zoom, isFitWidth, zoomBy, fit, rotate, extraTools }: Props) {
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
        <PdfToolbarButton label="Fit width" onClick={fit} pressed={isFitWidth}>
          <IconArrowAutofitWidth size={18} />
        </PdfToolbarButton>
        <PdfToolbarButton label="Rotate clockwise" onClick={rotate}>
          <IconRotateClockwise size={17} />
        </PdfToolbarButton>
        {extraTools}
      </div>
    </div>
  )
}
