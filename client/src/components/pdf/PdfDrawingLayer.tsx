import type { Box } from '@assay/shared/papers.ts'
import { type PointerEvent, useState } from 'react'
import classes from './PdfDrawingLayer.module.css'
import { type PageSize, type Rotation, rotatedSize, unrotateBox } from './page-geometry.ts'

export interface PdfDrawing {
  /** A rectangle was dragged on a page (from 1), in points of the page. */
  done: (page: number, box: Box) => void
}

interface Props {
  page: PageSize
  rotation: Rotation
  done: (box: Box) => void
}

interface Point {
  x: number
  y: number
}

/** Smaller is a click that slipped, in points. */
const LEAST = 6

/** Lies over a page while a rectangle is dragged on it. By keyboard, places are entered as numbers beside the paper. */
export function PdfDrawingLayer({ page, rotation, done }: Props) {
  const { width, height } = rotatedSize(page, rotation)
  const [drag, setDrag] = useState<{ from: Point; to: Point } | null>(null)

  function pointOf(event: PointerEvent<SVGSVGElement>): Point {
    const frame = event.currentTarget.getBoundingClientRect()
    const within = (value: number, most: number) => Math.max(0, Math.min(most, value))
    return {
      x: within(((event.clientX - frame.left) / frame.width) * width, width),
      y: within(((event.clientY - frame.top) / frame.height) * height, height),
    }
  }

  function end() {
    if (!drag) return
    const box = boxBetween(drag.from, drag.to)
    setDrag(null)
    if (box.width >= LEAST && box.height >= LEAST) done(rounded(unrotateBox(box, page, rotation)))
  }

  const box = drag && boxBetween(drag.from, drag.to)
  return (
    <svg
      className={classes.root}
      viewBox={`0 0 ${width} ${height}`}
      data-testid="drawing-layer"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const from = pointOf(event)
        setDrag({ from, to: from })
      }}
      onPointerMove={(event) => {
        if (drag) setDrag({ ...drag, to: pointOf(event) })
      }}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
    >
      <title>Drag a rectangle</title>
      {box && <rect className={classes.box} {...box} />}
    </svg>
  )
}

const boxBetween = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})

const tenth = (value: number) => Math.round(value * 10) / 10

const rounded = ({ x, y, width, height }: Box): Box => ({
  x: tenth(x),
  y: tenth(y),
  width: tenth(width),
  height: tenth(height),
})
