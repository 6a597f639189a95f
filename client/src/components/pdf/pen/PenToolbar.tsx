import type { PenColour } from '@assay/shared/pen-marks.ts'
import { penColours } from '@assay/shared/rules/pen-shapes.ts'
import { Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCheck,
  IconEraser,
  IconHighlight,
  IconPencil,
  IconRubberStamp,
  IconTextSize,
  IconX,
} from '@tabler/icons-react'
import { useKeyboardShortcuts } from '../../../lib/hooks/useKeyboardShortcuts.ts'
import { SubtleButton } from '../../display/buttons.tsx'
import { ToolButton } from '../../display/ToolButton.tsx'
import { Notice } from '../../feedback/Notice.tsx'
import classes from './Pen.module.css'
import type { PenEditing, PenSurface } from './pen.ts'

const tools = [
  ['ink', 'Pen', 'p', IconPencil],
  ['highlight', 'Highlighter', 'm', IconHighlight],
  ['text', 'Text', 'w', IconTextSize],
  ['tick', 'Tick', 'v', IconCheck],
  ['cross', 'Cross', 'c', IconX],
  ['eraser', 'Eraser', 'b', IconEraser],
] as const
const colours = Object.entries(penColours) as [PenColour, string][]

export function PenToolbar({ edit, surface }: { edit: PenEditing; surface: PenSurface }) {
  const { tool, choose, colour, setColour, stamp, setStamp } = surface
  const toggle = (one: typeof tool) => choose(tool === one ? null : one)
  useKeyboardShortcuts({
    ...Object.fromEntries(tools.map(([one, , key]) => [key, () => toggle(one)])),
    u: edit.undo ?? undefined,
    Escape: tool ? () => choose(null) : undefined,
  })
  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label="Pen">
        {tools.map(([one, label, key, Icon]) => (
          <ToolButton key={one} label={label} keyName={key} pressed={tool === one} onClick={() => toggle(one)}>
            <Icon size={18} />
          </ToolButton>
        ))}
        <Menu position="bottom-start">
          <Menu.Target>
            <ToolButton label="Stamp" pressed={tool === 'stamp'}>
              <IconRubberStamp size={18} />
            </ToolButton>
          </Menu.Target>
          <Menu.Dropdown className={classes.stamps}>
            {edit.stamps?.map((one) => (
              <Menu.Item key={one.item_id} onClick={() => setStamp(one)} aria-current={stamp === one || undefined}>
                {one.text}
              </Menu.Item>
            ))}
            {!edit.stamps?.length && (
              <Menu.Label>
                {edit.stamps
                  ? 'This question has no rubric items yet. Add one in its criterion.'
                  : 'Select a criterion to stamp its rubric items.'}
              </Menu.Label>
            )}
          </Menu.Dropdown>
        </Menu>
        <span className={classes.colours}>
          {colours.map(([one, code]) => (
            <button
              key={one}
              type="button"
              className={classes.colour}
              style={{ color: code }}
              aria-label={`${one[0]?.toUpperCase()}${one.slice(1)}`}
              aria-pressed={colour === one}
              onClick={() => setColour(one)}
            />
          ))}
        </span>
        <ToolButton label="Undo drawing" keyName="u" disabled={!edit.undo} onClick={() => edit.undo?.()}>
          <IconArrowBackUp size={18} />
        </ToolButton>
      </div>
      {edit.problem && (
        <Notice
          tone="bad"
          title={edit.problem.count === 1 ? 'A pen mark is not saved' : `${edit.problem.count} pen marks are not saved`}
          actions={<SubtleButton onClick={edit.problem.retry}>Try again</SubtleButton>}
        >
          {edit.problem.message}
        </Notice>
      )}
    </>
  )
}
