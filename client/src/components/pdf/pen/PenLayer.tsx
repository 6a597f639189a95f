import { MAX_INK_POINTS, MAX_PEN_TEXT, type PenMark, type PenMarkContent } from '@assay/shared/pen-marks.ts'
import {
  inkPath,
  inkPoints,
  PEN_LINE_HEIGHT,
  PEN_TEXT_SIZE,
  penColours,
  penMarkWords,
  penScale,
  SIGN_RADIUS,
  SIGN_WIDTH,
  signPaths,
} from '@assay/shared/rules/pen-shapes.ts'
import { type PointerEvent, useRef, useState } from 'react'
import { MathText } from '../../math/MathText.tsx'
import {
  type PageSize,
  type Point,
  pointOnPage,
  type Rotation,
  rotateBox,
  rotatedSize,
  roundToTenth,
  unrotateBox,
} from '../page-geometry.ts'
import classes from './Pen.module.css'
import type { Pen, PenSurface } from './pen.ts'

interface Props {
  pen: Pen
  surface: PenSurface | null
  number: number
  page: PageSize
  rotation: Rotation
  /** By CSS pixels. */
  pan: (x: number, y: number) => void
}

interface Drawing {
  mark: PenMarkContent
  /** In the page's own points. */
  from: Point
  pointer: number
}

/** A highlight's height where it was dragged along one line, in points of A4. */
const LINE = 12
const TEXT_WIDTH = 170
/** Points nearer to the last one are not seen. */
const NEAR = 0.6

/** In the page's own points, as it was before the reader turned it. */
export function PenLayer({ pen, surface, number, page, rotation, pan }: Props) {
  const { width, height } = rotatedSize(page, rotation)
  const scale = penScale(page)
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  // Several moves may come before the next render.
  const live = useRef<Drawing | null>(null)
  const [writing, setWriting] = useState<Point | null>(null)
  const marks = pen.marks.filter((mark) => mark.page === number)
  const { tool = null, colour = 'red' } = surface ?? {}
  if (marks.length === 0 && tool === null) return null

  const turned = (x: number, y: number) => unrotateBox({ x, y, width: 0, height: 0 }, page, rotation)
  const shownAt = (event: PointerEvent, place: MouseEvent = event.nativeEvent) =>
    pointOnPage(event.currentTarget, place, { width, height })
  const at = ({ x, y }: Point) => {
    const place = turned(x, y)
    return { x: roundToTenth(place.x), y: roundToTenth(place.y), page: number, colour, turn: rotation }
  }
  function room({ x, y }: Point) {
    const wanted = Math.min(TEXT_WIDTH * scale, width - 16)
    const left = Math.max(8, Math.min(x, width - 8 - wanted * 0.6))
    return { ...at({ x: left, y }), width: roundToTenth(Math.min(wanted, width - 8 - left)) }
  }

  function show(next: Drawing | null) {
    live.current = next
    setDrawing(next)
  }

  function eraseAt({ clientX, clientY }: PointerEvent) {
    const id = document.elementFromPoint?.(clientX, clientY)?.closest('[data-mark]')?.getAttribute('data-mark')
    if (id) pen.edit?.erase(id)
  }

  function startOf(shown: Point, pressure: number): PenMarkContent | null {
    const { x, y, turn } = at(shown)
    const own = { page: number, colour }
    if (tool === 'ink') return { kind: tool, ...own, points: [x, y, pressure] }
    if (tool === 'highlight') return { kind: tool, ...own, ...spanned({ x, y }, { x, y }, scale) }
    if (tool === 'tick' || tool === 'cross') return { kind: tool, ...own, x, y, turn }
    return tool === 'stamp' && surface?.stamp ? { kind: tool, ...room(shown), ...surface.stamp } : null
  }

  function begin(event: PointerEvent<SVGSVGElement>) {
    if (!surface || event.button !== 0 || event.target instanceof HTMLTextAreaElement) return
    const { pointerId, pointerType, clientX, clientY } = event
    event.currentTarget.setPointerCapture(pointerId)
    if (pointerType === 'pen') surface.stylus.current = true
    if (pointerType === 'touch') {
      surface.fingers.current.set(pointerId, { x: clientX, y: clientY })
      if (surface.stylus.current) return
      if (surface.fingers.current.size > 1) return show(null)
    }
    const shown = shownAt(event)
    if (tool === 'eraser') return eraseAt(event)
    if (tool === 'text') {
      // The field that opens keeps the focus.
      event.preventDefault()
      return setWriting(shown)
    }
    const mark = startOf(shown, pressureOf(event))
    if (mark) show({ mark, from: at(shown), pointer: pointerId })
  }

  function move(event: PointerEvent<SVGSVGElement>) {
    const finger = surface?.fingers.current.get(event.pointerId)
    const draws = live.current?.pointer === event.pointerId
    if (surface && finger) {
      const count = surface.fingers.current.size
      surface.fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
      if (surface.stylus.current || count > 1) {
        if (draws) show(null)
        // A hand rests on the glass while its stylus draws.
        if (!live.current) pan((finger.x - event.clientX) / count, (finger.y - event.clientY) / count)
        return
      }
    }
    if (tool === 'eraser' && event.buttons > 0) return eraseAt(event)
    if (!live.current || !draws) return
    const { mark, from } = live.current
    const { x, y } = at(shownAt(event))
    if (mark.kind === 'ink') {
      const between = event.nativeEvent.getCoalescedEvents?.() ?? []
      const all = between.length > 0 ? between : [event.nativeEvent]
      const add = (so: number[], one: typeof event.nativeEvent) =>
        withPoint(so, at(shownAt(event, one)), pressureOf(one), scale)
      show({ ...live.current, mark: { ...mark, points: all.reduce(add, mark.points) } })
    } else if (mark.kind === 'highlight')
      show({ ...live.current, mark: { ...mark, ...spanned(from, { x, y }, scale) } })
    else if (mark.kind === 'tick' || mark.kind === 'cross') show({ ...live.current, mark: { ...mark, x, y } })
  }

  function end(event: PointerEvent<SVGSVGElement>) {
    surface?.fingers.current.delete(event.pointerId)
    if (live.current?.pointer !== event.pointerId) return
    const { mark } = live.current
    show(null)
    const slipped = mark.kind === 'highlight' && mark.width < 3 * scale
    if (event.type === 'pointerup' && !slipped) pen.edit?.add(mark)
  }

  function write(text: string) {
    if (writing && text.trim() !== '') pen.edit?.add({ kind: 'text', ...room(writing), text: text.trim() })
    setWriting(null)
  }

  return (
    <svg
      className={classes.layer}
      viewBox={`0 0 ${width} ${height}`}
      data-testid={`pen-${number}`}
      data-tool={tool ?? undefined}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <title>{`Pen marks on page ${number}`}</title>
      <g transform={turnOf(page, rotation)}>
        <PenMarks marks={marks} scale={scale} erase={tool === 'eraser' && pen.edit ? pen.edit.erase : null} />
        {drawing && <PenShape mark={drawing.mark} scale={scale} />}
      </g>
      {writing && (
        <foreignObject className={classes.words} {...placeOf(room(writing), page, rotation)} height={1}>
          <textarea
            // biome-ignore lint/a11y/noAutofocus: whoever pressed here wants to write here
            autoFocus
            aria-label={`Text on page ${number}`}
            maxLength={MAX_PEN_TEXT}
            rows={2}
            style={{ color: penColours[colour], fontSize: PEN_TEXT_SIZE * scale }}
            onBlur={(event) => write(event.currentTarget.value)}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.key === 'Escape') setWriting(null)
              if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault()
                write(event.currentTarget.value)
              }
            }}
          />
        </foreignObject>
      )}
    </svg>
  )
}

/** A mouse presses with 0.5, a finger with 0 or 1. */
const pressureOf = ({ pointerType, pressure }: { pointerType: string; pressure: number }) =>
  pointerType === 'pen' ? Math.round(Math.max(0.05, pressure) * 100) / 100 : 0.5

function withPoint(points: number[], { x, y }: Point, pressure: number, scale: number): number[] {
  const [lastX = 0, lastY = 0] = points.slice(-3)
  if (points.length >= 3 * MAX_INK_POINTS || Math.hypot(x - lastX, y - lastY) < NEAR * scale) return points
  return [...points, x, y, pressure]
}

function spanned(from: Point, to: Point, scale: number) {
  const half = (LINE / 2) * scale
  const isLine = Math.abs(to.y - from.y) < LINE * scale
  const [top, bottom] = isLine ? [from.y - half, from.y + half] : [Math.min(from.y, to.y), Math.max(from.y, to.y)]
  return {
    x: Math.min(from.x, to.x),
    y: roundToTenth(top),
    width: Math.max(0.1, roundToTenth(Math.abs(to.x - from.x))),
    height: roundToTenth(bottom - top),
  }
}

/** From the page's own points to those of the turned page. */
function turnOf({ width, height }: PageSize, rotation: Rotation): string | undefined {
  if (rotation === 90) return `matrix(0 1 -1 0 ${height} 0)`
  if (rotation === 180) return `matrix(-1 0 0 -1 ${width} ${height})`
  return rotation === 270 ? `matrix(0 -1 1 0 0 ${width})` : undefined
}

function placeOf({ x, y, width }: Point & { width: number }, page: PageSize, rotation: Rotation) {
  return { ...rotateBox({ x, y, width: 0, height: 0 }, page, rotation), width }
}

interface PenMarksProps {
  marks: readonly PenMark[]
  /** As `penScale` has it. */
  scale: number
  /** Makes buttons of them. */
  erase: ((id: string) => void) | null
}

function PenMarks({ marks, scale, erase }: PenMarksProps) {
  return marks.map((mark) => (
    <g
      key={mark.id}
      data-mark={mark.id}
      className={classes.mark}
      {...(erase
        ? {
            role: 'button',
            tabIndex: 0,
            'aria-label': `Erase ${describe(mark).toLowerCase()}`,
            onKeyDown: (event) => {
              if (event.key === 'Enter' || event.key === ' ') erase(mark.id)
            },
          }
        : { role: 'img', 'aria-label': describe(mark) })}
    >
      <PenShape mark={mark} scale={scale} />
      {erase && mark.kind === 'ink' && (
        <polyline
          className={classes.reach}
          strokeWidth={14 * scale}
          points={inkPoints(mark.points)
            .map(([x, y]) => `${x},${y}`)
            .join(' ')}
        />
      )}
    </g>
  ))
}

function describe(mark: PenMark): string {
  const words = 'text' in mark ? `${penMarkWords[mark.kind]} “${mark.text}”` : penMarkWords[mark.kind]
  return `${words} on page ${mark.page}${mark.author ? ` by ${mark.author}` : ''}`
}

/** In the page's own points, from its top left. */
function PenShape({ mark, scale }: { mark: PenMarkContent; scale: number }) {
  const colour = penColours[mark.colour]
  if (mark.kind === 'ink') return <path d={inkPath(mark.points, scale)} fill={colour} />
  if (mark.kind === 'highlight') {
    const { x, y, width, height } = mark
    return <rect className={classes.highlight} {...{ x, y, width, height }} fill={colour} />
  }
  const place = `translate(${mark.x} ${mark.y}) rotate(${-mark.turn}) scale(${scale})`
  if (!('text' in mark)) {
    return (
      <g transform={place}>
        <circle r={SIGN_RADIUS} fill="transparent" />
        <path d={signPaths[mark.kind]} fill="none" stroke={colour} strokeWidth={SIGN_WIDTH} strokeLinecap="round" />
      </g>
    )
  }
  return (
    <foreignObject className={classes.words} transform={place} width={mark.width / scale} height={1}>
      <div
        data-stamp={mark.kind === 'stamp' || undefined}
        style={{ color: colour, fontSize: PEN_TEXT_SIZE, lineHeight: `${PEN_LINE_HEIGHT}px` }}
      >
        <MathText>{mark.text}</MathText>
      </div>
    </foreignObject>
  )
}
