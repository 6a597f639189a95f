import { type CourseDetail, createJoinCode, deleteJoinCode } from '@assay/shared/courses.ts'
import { formatJoinCode } from '@assay/shared/rules/join-code.ts'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { AskFirst } from '../../components/feedback/ConfirmModal.tsx'
import { Panel } from '../../components/layout/Page.tsx'
import { type QueryResult, useSend } from '../../lib/api/api-hooks.ts'
import { toast, tryWithToast } from '../../lib/toast.ts'
import classes from './JoinCodePanel.module.css'

export function JoinCodePanel({ course, loaded }: { course: CourseDetail; loaded: QueryResult<CourseDetail> }) {
  const make = useSend(createJoinCode)
  const off = useSend(deleteJoinCode)
  const [large, setLarge] = useState(false)
  const params = { courseId: course.id }
  const code = course.join_code && formatJoinCode(course.join_code)

  async function renew() {
    const { join_code } = await make.send({ params })
    loaded.patch((now) => ({ ...now, join_code }))
  }

  async function switchOff() {
    await off.send({ params })
    loaded.patch((now) => ({ ...now, join_code: null }))
  }

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text)
      toast.success('Course code copied')
    } catch {
      toast.error('Could not copy the code. Select it and copy it manually.')
    }
  }

  return (
    <Panel title="Course code">
      {code ? (
        <div className={classes.root}>
          <output className={classes.code} aria-label="Course code">
            {code}
          </output>
          <p className={classes.hint}>Students enter it under “Join Course”.</p>
          <div className={classes.buttons}>
            <SecondaryButton onClick={() => void copy(code)}>Copy</SecondaryButton>
            <SecondaryButton onClick={() => setLarge(true)}>Enlarge</SecondaryButton>
            <AskFirst
              button={(ask) => (
                <SubtleButton color="gray" onClick={ask}>
                  New code
                </SubtleButton>
              )}
              title="Create a new course code?"
              confirmLabel="New code"
              onConfirm={renew}
            >
              <p>The code {code} will stop working. Students who already joined stay enrolled.</p>
            </AskFirst>
            <AskFirst
              button={(ask) => (
                <SubtleButton color="gray" onClick={ask}>
                  Turn off
                </SubtleButton>
              )}
              title="Turn off the course code?"
              confirmLabel="Turn off"
              onConfirm={switchOff}
            >
              <p>Students can no longer join with a code. Enrolled students stay enrolled.</p>
            </AskFirst>
          </div>
        </div>
      ) : (
        <div className={classes.root}>
          <p className={classes.hint}>The course code is off. Create one so that students can join on their own.</p>
          <div className={classes.buttons}>
            <SecondaryButton
              loading={make.sending}
              onClick={() => void tryWithToast('Could not create a code.', renew)}
            >
              Create course code
            </SecondaryButton>
          </div>
        </div>
      )}
      <Modal opened={large} onClose={() => setLarge(false)} fullScreen title={`Join ${course.name}`}>
        <div className={classes.wall}>
          <p>Join Course</p>
          <strong>{code}</strong>
        </div>
      </Modal>
    </Panel>
  )
}
