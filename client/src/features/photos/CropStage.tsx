import type { PhotoCorners, PhotoTurns } from '@assay/shared/photo-drafts.ts'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import classes from './CropModal.module.css'
import { turnPoint, turnPointBack, withCorner } from './crop-geometry.ts'

interface Props {
  url: string
  corners: PhotoCorners
  turns: PhotoTurns
  change: (corners: PhotoCorners) => void
}

const names = ['Upper left', 'Upper right', 'Lower right', 'Lower left']
/** In parts of the picture shown: an arrow key, and one with Shift. */
const steps = { small: 0.005, large: 0.05 }
const directions: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The photo, turned as the page will be, with the outline of its sheet and a handle at each corner. */
export function CropStage({ url, corners, turns, change }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const dragged = useRef<number | null>(null)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const shown = corners.map((corner) => turnPoint(corner, turns))
  const [across, down] = turns % 2 ? [size?.height, size?.width] : [size?.width, size?.height]

  const moveTo = (index: number, point: [number, number]) =>
    change(withCorner(corners, index, turnPointBack([clamp(point[0]), clamp(point[1])], turns)))

  function drag(event: PointerEvent<HTMLButtonElement>) {
    const box = stage.current?.getBoundingClientRect()
    if (dragged.current === null || !box) return
    moveTo(dragged.current, [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height])
  }

  function press(event: KeyboardEvent, index: number) {
    const direction = directions[event.key]
    const [x, y] = shown[index] ?? [0, 0]
    if (!direction) return
    event.preventDefault()
    const step = event.shiftKey ? steps.large : steps.small
    moveTo(index, [x + direction[0] * step, y + direction[1] * step])
  }

  return (
    <div
      ref={stage}
      className={classes.picture}
      style={across && down ? ({ aspectRatio: `${across} / ${down}`, '--ratio': across / down } as object) : undefined}
    >
      <img
        src={url}
        alt="The sheet on its table"
        data-sideways={turns % 2 === 1 || undefined}
        style={{ rotate: `${turns * 90}deg` }}
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
      />
      <svg className={classes.outline} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
        <path d={`M0 0H100V100H0Z M${shown.map(([x, y]) => `${100 * x} ${100 * y}`).join('L')}Z`} fillRule="evenodd" />
        <polygon points={shown.map(([x, y]) => `${100 * x},${100 * y}`).join(' ')} />
      </svg>
      {shown.map(([x, y], i) => (
        <button
          key={names[i]}
          type="button"
          className={classes.handle}
          style={{ left: `${100 * x}%`, top: `${100 * y}%` }}
          aria-label={`${names[(i + turns) % 4]} corner, ${Math.round(100 * x)} % across, ${Math.round(100 * y)} % down`}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            dragged.current = i
          }}
          onPointerMove={drag}
          onPointerUp={() => {
            dragged.current = null
          }}
          onPointerCancel={() => {
            dragged.current = null
          }}
          onKeyDown={(event) => press(event, i)}
        />
      ))}
    </div>
  )
}

const clamp = (share: number) => Math.min(1, Math.max(0, share))
