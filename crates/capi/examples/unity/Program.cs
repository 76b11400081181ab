// Prints the meshes of a file, and the error for one that is not a game file.

using System;
using System.IO;

namespace Antiquary
{
    static class Program
    {
        static int Main(string[] arguments)
        {
            if (arguments.Length != 1)
            {
                Console.Error.WriteLine("usage: unity FILE");
                return 1;
            }
            foreach (MeshPart part in SceneLoader.LoadMeshes(arguments[0]))
            {
                Console.WriteLine(
                    "{0}: {1} vertices, {2} triangles", part.Name, part.Positions.Length / 3, part.Indices.Length / 3);
            }
            string damaged = Path.GetTempFileName();
            try
            {
                File.WriteAllBytes(damaged, new byte[] { 1, 2, 3 });
                SceneLoader.LoadMeshes(damaged);
                return 2;
            }
            catch (AntiquaryException error)
            {
                Console.WriteLine("{0} error at {1}: {2}", error.Code, error.Offset, error.Message);
            }
            finally
            {
                File.Delete(damaged);
            }
            return Native.antiquary_handle_count() == UIntPtr.Zero ? 0 : 3;
        }
    }
}
