import type { PenMark, PenMarkContent } from '@assay/shared/pen-marks.ts'
import {
  inkPath,
  inkPoints,
  PEN_LINE_HEIGHT,
  PEN_TEXT_SIZE,
  penColours,
  penMarkWords,
  SIGN_RADIUS,
  SIGN_WIDTH,
  signPaths,
} from '@assay/shared/rules/pen-shapes.ts'
import { MathText } from '../../math/MathText.tsx'
import classes from './Pen.module.css'

interface Props {
  marks: readonly PenMark[]
  scale: number
  erase: ((id: string) => void) | null
}

export function PenMarks({ marks, scale, erase }: Props) {
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
export function PenShape({ mark, scale }: { mark: PenMarkContent; scale: number }) {
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
