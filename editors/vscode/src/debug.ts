// Starts `antiquary script debug --dap` for sessions of the debugger.

import * as vscode from 'vscode';

/** The actor that a text names on its first line. */
function actorOf(text: string): string | undefined {
  return /^\s*actor\s*"([^"]*)"/m.exec(text)?.[1];
}

/** What a launch configuration leaves out comes from the settings and the open text. */
class Configurations implements vscode.DebugConfigurationProvider {
  resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration {
    // Without a launch.json the text in the active editor is debugged.
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
        'Antiquary: which map? Set "program" in launch.json, or the setting antiquary.map.',
      );
      return undefined;
    }
    return filled;
  }
}

/** The program that debugs. */
class Adapter implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
    const command = vscode.workspace.getConfiguration('antiquary').get<string>('path', 'antiquary');
    return new vscode.DebugAdapterExecutable(command, ['script', 'debug', '--dap']);
  }
}

/** Makes the debugger known. */
export function register(): vscode.Disposable[] {
  return [
    vscode.debug.registerDebugConfigurationProvider('soup', new Configurations()),
    vscode.debug.registerDebugAdapterDescriptorFactory('soup', new Adapter()),
  ];
}
