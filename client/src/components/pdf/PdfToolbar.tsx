import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowAutofitWidth, IconMinus, IconPlus, IconRotateClockwise } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
}

export function PdfToolbar({ page, pages, zoom, fits, zoomBy, fit, turn }: Props) {
  return (
    <div className={classes.root} role="toolbar" aria-label="Paper">
      <span className={classes.page}>
        Page {page} of {pages}
      </span>
      <div className={classes.tools}>
        <Tool label="Zoom out" onClick={() => zoomBy(-1)}>
          <IconMinus size={17} />
        </Tool>
        <output className={classes.zoom} aria-label="Zoom">
          {Math.round(zoom * 100)} %
        </output>
        <Tool label="Zoom in" onClick={() => zoomBy(1)}>
          <IconPlus size={17} />
        </Tool>
        <Tool label="Fit width" onClick={fit} pressed={fits}>
          <IconArrowAutofitWidth size={18} />
        </Tool>
        <Tool label="Rotate clockwise" onClick={turn}>
          <IconRotateClockwise size={17} />
        </Tool>
      </div>
    </div>
  )
}

interface ToolProps {
  label: string
  onClick: () => void
  pressed?: boolean
  children: ReactNode
}

function Tool({ label, onClick, pressed, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color={pressed ? 'ink' : 'gray'}
        size={36}
        aria-label={label}
        aria-pressed={pressed}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
