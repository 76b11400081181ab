// Runs `antiquary script debug --dap` for debug sessions.

import * as vscode from 'vscode';

/** The actor named in the `actor` line of a script. */
function actorOf(text: string): string | undefined {
  return /^\s*actor\s*"([^"]*)"/m.exec(text)?.[1];
}

/** Completes launch configurations from the settings and the open script. */
class Configurations implements vscode.DebugConfigurationProvider {
  resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration {
    // Without a launch.json, debug the script in the active editor.
    const document = vscode.window.activeTextEditor?.document;
    if (given.type || document?.languageId !== 'soup') {
      return given;
    }
    const actor = actorOf(document.getText());
    return {
      type: 'soup',
      request: 'launch',
      name: 'Debug the open script',
      stopOnEntry: true,
      ...(actor ? { actor } : {}),
    };
  }

  resolveDebugConfigurationWithSubstitutedVariables(
    _folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration | undefined {
    const settings = vscode.workspace.getConfiguration('antiquary');
    const filled = { ...given };
    for (const [attribute, setting] of [
      ['program', 'map'],
      ['game', 'game'],
      ['def', 'def'],
    ] as const) {
      const value = settings.get<string>(setting, '');
      if (!filled[attribute] && value) {
        filled[attribute] = value;
      }
    }
    if (!filled.program) {
      void vscode.window.showErrorMessage(
        'Antiquary: no map specified. Set "program" in launch.json, or the setting antiquary.map.',
      );
      return undefined;
    }
    return filled;
  }
}

/** Provides the debug adapter. */
class Adapter implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
    const command = vscode.workspace.getConfiguration('antiquary').get<string>('path', 'antiquary');
    return new vscode.DebugAdapterExecutable(command, ['script', 'debug', '--dap']);
  }
}

/** Registers the debugger. */
export function register(): vscode.Disposable[] {
  return [
    vscode.debug.registerDebugConfigurationProvider('soup', new Configurations()),
    vscode.debug.registerDebugAdapterDescriptorFactory('soup', new Adapter()),
  ];
}
