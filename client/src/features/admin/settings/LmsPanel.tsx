import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import panel from '../../../components/layout/Panel.module.css'
import { Panel } from '../../../components/layout/Panel.tsx'
import classes from './SettingsPage.module.css'

/** LMSs have a page of their own; who looks for them among the settings finds the way. */
export function LmsPanel() {
  return (
    <div className={classes.storage}>
      <Panel
        title="LMS"
        actions={
          <Button component={Link} to="/admin/lms" variant="default">
            Manage LMSs
          </Button>
        }
      >
        <p className={panel.about}>
          Learning platforms (Canvas, Moodle, Blackboard, Brightspace, Sakai) whose teachers open Assay from their
          courses.
        </p>
      </Panel>
    </div>
  )
}
