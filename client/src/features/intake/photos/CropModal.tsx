import { errorKinds } from '@assay/shared/http/errors.ts'
import type { PhotoCorners, PhotoPage, PhotoTurns } from '@assay/shared/photo-drafts.ts'
import { Button, Loader, Modal } from '@mantine/core'
import { IconMaximize, IconRotateClockwise } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { useAttempt } from '../../../lib/api/api-hooks.ts'
import classes from './CropModal.module.css'
import { usePhotoPicture } from './usePhotoPicture.ts'

interface Props {
  assignmentId: number
  page: PhotoPage
  number: number
  close: () => void
  /** @throws {ApiError} */
  save: (change: { corners: PhotoCorners | null; turns: PhotoTurns }) => Promise<void>
}

export function CropModal({ assignmentId, page, number, close, save }: Props) {
  const { url, error, retry } = usePhotoPicture(assignmentId, page, 'photo')
  const [corners, setCorners] = useState(page.corners ?? wholePhoto)
  const [turns, setTurns] = useState(page.turns)
  const { attempt, busy: saving, failure } = useAttempt(errorKinds.unexpected_error.message)

  async function done() {
    if (await attempt(() => save({ corners: isWhole(corners) ? null : corners, turns }))) close()
  }

  return (
    <Modal
      opened
      // A failure is told here, so it stays open until the change is stored.
      onClose={saving ? () => {} : close}
      title={`Crop page ${number}`}
      fullScreen
      radius={0}
      closeButtonProps={{ 'aria-label': 'Close', disabled: saving }}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <p className="dim">Drag the corners to those of the sheet, or move them with the arrow keys.</p>
      <div className={classes.stage}>
        {url ? (
          <CropStage url={url} corners={corners} turns={turns} change={setCorners} />
        ) : error ? (
          <Notice tone="bad" actions={<Button onClick={retry}>Try again</Button>}>
            The photo could not be loaded.
          </Notice>
        ) : (
          <Loader aria-label="Loading the photo" />
        )}
      </div>
      {failure && <Notice tone="bad">{failure.replace(`${page.file_name}: `, '')}</Notice>}
      <div className={classes.buttons}>
        <SecondaryButton
          leftSection={<IconRotateClockwise size={18} aria-hidden />}
          disabled={saving}
          onClick={() => setTurns(nextTurn(turns))}
        >
          Turn
        </SecondaryButton>
        <SecondaryButton
          leftSection={<IconMaximize size={18} aria-hidden />}
          disabled={saving}
          onClick={() => setCorners(wholePhoto)}
        >
          Use the whole picture
        </SecondaryButton>
        <Button className={classes.done} loading={saving} onClick={() => void done()}>
          Done
        </Button>
      </div>
    </Modal>
  )
}

interface CropStageProps {
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

export function CropStage({ url, corners, turns, change }: CropStageProps) {
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

export const nextTurn = (turns: PhotoTurns) => ((turns + 1) % 4) as PhotoTurns

type Point = PhotoCorners[number]

const wholePhoto: PhotoCorners = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]

/** Turns a point clockwise, or back; in parts of width and height. */
export function turnPoint([x, y]: Point, turns: PhotoTurns): Point {
  if (turns === 0) return [x, y]
  return turnPoint([1 - y, x], (turns - 1) as PhotoTurns)
}
export const turnPointBack = (point: Point, turns: PhotoTurns): Point =>
  turnPoint(point, ((4 - turns) % 4) as PhotoTurns)

function withCorner(corners: PhotoCorners, index: number, [x, y]: Point): PhotoCorners {
  return corners.map((corner, i) => (i === index ? [clamp(x), clamp(y)] : corner)) as PhotoCorners
}

const isWhole = (corners: PhotoCorners): boolean =>
  corners.every(([x, y], i) => x === wholePhoto[i]?.[0] && y === wholePhoto[i]?.[1])
