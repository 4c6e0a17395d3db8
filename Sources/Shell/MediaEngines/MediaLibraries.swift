import COpus
import CPango
import CVPX

/// The libraries behind the engines, as far as they tell their version.
package enum MediaLibraries {
    package static var versions: [(name: String, version: String)] {
        [
            ("libvpx", String(cString: vpx_codec_version_str())),
            ("opus", String(cString: opus_get_version_string())),
            ("pango", String(cString: pango_version_string())),
        ]
    }
}
