// Check findings grouped by code; each finding links to its field or bytes.

import type { Asset, ErrorBody, Finding, Severity } from '../api/types';
import { link } from '../state/route';
import { counted, hex } from '../text/number';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { Empty } from '../ui/state';

const ORDER: Record<Severity, number> = { error: 0, warning: 1, note: 2 };

/** Why a file cannot be read, with a link to the position. */
export function Problem({ asset, error }: { asset: Asset; error: ErrorBody }) {
  const location = locationOf(error);
  return (
    <div class="problem" role="note">
      <Icon name="report" />
      <p>
        {visible(error.text || error.message)}{' '}
        {location && (
          <a class="mono" href={link(asset.path, { ...location, view: 'bytes' })}>
            {[error.path ? visible(error.path) : null, error.offset === null ? null : `0x${hex(error.offset)}`]
              .filter(Boolean)
              .join(' at ')}
          </a>
        )}
      </p>
    </div>
  );
}

function grouped(report: readonly Finding[]): [string, Finding[]][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of [...report].sort((a, b) => ORDER[a.severity] - ORDER[b.severity])) {
    const group = groups.get(finding.code);
    if (group) group.push(finding);
    else groups.set(finding.code, [finding]);
  }
  return [...groups];
}

function locationOf(finding: Pick<Finding, 'path' | 'offset'>): Record<string, string> | null {
  const location: Record<string, string> = { view: 'both' };
  if (finding.path) location.at = finding.path;
  if (finding.offset !== null) location.offset = String(finding.offset);
  return finding.path || finding.offset !== null ? location : null;
}

export function Findings({ asset, limit }: { asset: Asset; limit?: number }) {
  const groups = grouped(asset.report);
  const shown = limit === undefined ? groups : groups.slice(0, limit);
  return (
    <div class="findings">
      {shown.map(([code, findings]) => (
        <div key={code} class={`finding-group is-${findings[0]?.severity ?? 'note'}`}>
          <h3>
            <span class="severity">{findings[0]?.severity}</span> <span class="mono">{code}</span>
          </h3>
          <ul>
            {(limit === undefined ? findings : findings.slice(0, 3)).map((finding, index) => (
              <li key={index}>
                <FindingLine asset={asset} finding={finding} />
              </li>
            ))}
            {limit !== undefined && findings.length > 3 && <li class="faint">and {findings.length - 3} more</li>}
          </ul>
        </div>
      ))}
      {groups.length > shown.length && (
        <a href={link(asset.path, { view: 'report' })}>
          {counted(groups.length - shown.length, 'more kind')} of finding
        </a>
      )}
    </div>
  );
}

function FindingLine({ asset, finding }: { asset: Asset; finding: Finding }) {
  const location = locationOf(finding);
  const times = finding.count > 1 ? ` (${finding.count} times)` : '';
  const text = `${visible(finding.message)}${times}`;
  if (!location) return <span>{text}</span>;
  return (
    <a class="finding" href={link(asset.path, location)}>
      <span>{text}</span>
      <span class="faint mono">{finding.path ? visible(finding.path) : `0x${hex(finding.offset ?? 0)}`}</span>
    </a>
  );
}

export function ReportView({ asset }: { asset: Asset }) {
  return (
    <div class="page scroll" tabIndex={0} role="region" aria-label="Report">
      {asset.report.length === 0 ? <Empty>No problems found.</Empty> : <Findings asset={asset} />}
    </div>
  );
}
